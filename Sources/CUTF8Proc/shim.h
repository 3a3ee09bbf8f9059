// The one place that includes utf8proc's header.
#include <utf8proc.h>

// The one place that includes libsodium's header.
#include <sodium.h>

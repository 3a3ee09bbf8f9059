#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the system says of a file without opening it.
package struct FileStatus: Sendable, Equatable {
  package let size: Int64
  package let mode: UInt32
  package let device: UInt64
  package let inode: UInt64

  init(_ raw: stat) {
    size = Int64(raw.st_size)
    mode = UInt32(raw.st_mode)
    device = UInt64(raw.st_dev)
    inode = UInt64(raw.st_ino)
  }

  package var isFolder: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
  package var isRegularFile: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
  /// Whether anyone but the owner may read it.
  package var isReadableByOthers: Bool { mode & 0o044 != 0 }
}

/// Files and folders by path.
///
/// Every call names its path in the error it throws.
package enum Files {
  /// Follows symbolic links.
  package static func status(_ path: String) throws(SystemError) -> FileStatus {
    var raw = stat()
    try retrying("stat", path) { unsafe Int(stat(path, &raw)) }
    return FileStatus(raw)
  }

  /// Whether anything bears this name, a dangling symbolic link included.
  package static func isThere(_ path: String) throws(SystemError) -> Bool {
    var raw = stat()
    do throws(SystemError) {
      try retrying("stat", path) { unsafe Int(lstat(path, &raw)) }
      return true
    } catch {
      if error.isNotFound { return false }
      throw error
    }
  }

  /// Makes a folder of mode 0700 that must not be there yet.
  package static func makeFolder(_ path: String) throws(SystemError) {
    try retrying("mkdir", path) { unsafe Int(mkdir(path, 0o700)) }
  }

  /// Moves a file over whatever bears the new name, in one step.
  package static func rename(_ from: String, to path: String) throws(SystemError) {
    #if canImport(Darwin)
      try retrying("rename", path) { unsafe Int(Darwin.rename(from, path)) }
    #elseif canImport(Musl)
      try retrying("rename", path) { unsafe Int(Musl.rename(from, path)) }
    #else
      try retrying("rename", path) { unsafe Int(Glibc.rename(from, path)) }
    #endif
  }

  /// Moves a finished folder to a name that must be free.
  ///
  /// `mkdir` claims the name, which fails if anything bears it; `rename` then replaces the empty
  /// folder in one step. So a name that someone else takes in between is never overwritten, on any
  /// file system.
  package static func claim(_ path: String, with folder: String) throws(SystemError) {
    try makeFolder(path)
    do throws(SystemError) {
      try rename(folder, to: path)
    } catch {
      unsafe rmdir(path)
      throw error
    }
  }

  package static func remove(_ path: String) throws(SystemError) {
    try retrying("unlink", path) { unsafe Int(unlink(path)) }
  }

  /// Removes a file, or does nothing where there is none.
  package static func removeIfThere(_ path: String) throws(SystemError) {
    do throws(SystemError) { try remove(path) } catch { if !error.isNotFound { throw error } }
  }

  /// Removes an empty folder.
  package static func removeFolder(_ path: String) throws(SystemError) {
    try retrying("rmdir", path) { unsafe Int(rmdir(path)) }
  }

  /// The names in a folder, sorted, without `.` and `..`.
  package static func names(in folder: String) throws(SystemError) -> [String] {
    guard let stream = unsafe opendir(folder) else { throw .last("read folder", folder) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Waits until the names in a folder are on the disk.
  package static func synchronizeFolder(_ path: String) throws(SystemError) {
    try OpenFile(path, .read).synchronize()
  }

  /// The whole content of a regular file of at most `limit` bytes.
  ///
  /// - Throws: `EFBIG` where it is longer, `EISDIR` for a folder, and `EINVAL` for a device or a
  ///   pipe, which might never end.
  package static func content(of path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let status = try status(path)
    if status.isFolder { throw SystemError(code: EISDIR, operation: "read", path: path) }
    guard status.isRegularFile else {
      throw SystemError(code: EINVAL, operation: "read", path: path)
    }
    let bytes = try OpenFile(path, .read).readAll(limit: limit)
    if bytes.count > limit { throw SystemError(code: EFBIG, operation: "read", path: path) }
    return bytes
  }

  /// Puts `content` under `path` in one step that survives power loss.
  ///
  /// Writes a temporary file beside it (`temporary`), waits for the disk, renames, and waits for
  /// the folder. Mode 0600 whatever the umask grants.
  package static func replace(
    _ path: String, with content: [UInt8], through temporary: String
  ) throws(SystemError) {
    do throws(SystemError) {
      let file = try OpenFile(temporary, .create)
      try file.write(content)
      try file.synchronize()
    } catch {
      if !error.isAlreadyThere { unsafe unlink(temporary) }
      throw error
    }
    do throws(SystemError) { try rename(temporary, to: path) } catch {
      unsafe unlink(temporary)
      throw error
    }
    try synchronizeFolder(parent(of: path))
  }

  /// The folder that a path lies in.
  package static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last component of a path.
  package static func name(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path }
    return String(path[path.index(after: slash)...])
  }

  /// The path without links, relative parts or trailing slashes; the file must be there.
  package static func realPath(_ path: String) throws(SystemError) -> String {
    guard let resolved = unsafe realpath(path, nil) else { throw .last("open", path) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// The folder for temporary files.
  package static var temporaryFolder: String {
    guard let value = unsafe getenv("TMPDIR") else { return "/tmp" }
    let path = unsafe String(cString: value)
    return path.isEmpty ? "/tmp" : path
  }

  /// Makes a fresh folder for temporary files, mode 0700, in the usual place or in `folder`.
  package static func makeTemporaryFolder(
    _ prefix: String, in folder: String? = nil
  ) throws(SystemError) -> String {
    let template = "\(folder ?? temporaryFolder)/\(prefix)-XXXXXX"
    var bytes = Array(template.utf8CString)
    guard unsafe mkdtemp(&bytes) != nil else { throw .last("mkdtemp", template) }
    return String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes a folder and what it holds; only for folders this program made.
  package static func removeTree(_ path: String) throws(SystemError) {
    for name in try names(in: path) {
      let child = "\(path)/\(name)"
      var raw = stat()
      try retrying("stat", child) { unsafe Int(lstat(child, &raw)) }
      if FileStatus(raw).isFolder { try removeTree(child) } else { try remove(child) }
    }
    try removeFolder(path)
  }
}

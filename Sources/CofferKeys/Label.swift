/// The labels that keep every derivation apart from every other.
///
/// None is the beginning of another, so that a label with something behind it can't be mistaken for
/// another label. A test holds that, and that `Keys/formats.md` lists the same ones.
enum Label: String, CaseIterable {
  case databaseKey = "Coffer v1 Database Key"
  case keyringMAC = "Coffer v1 Keyring MAC"
  case recoveryKey = "Coffer v1 Recovery Key"
  case recoveryChecksum = "Coffer v1 Recovery Checksum"
  case keyFile = "Coffer v1 Key File"
  case secretService = "Coffer v1 Secret Service"
  case slotKey = "Coffer v1 Slot Key"
  /// Not for HKDF: begins the additional data of a slot's box.
  case slot = "Coffer v1 Slot\0"

  var bytes: [UInt8] { Array(rawValue.utf8) }
}

// Values of `kSecAttrProtocol` and `kSecAttrAuthenticationType`.
// The strings are Apple's, because apps keep and exchange dictionaries that contain them.

public import Foundation

/// The protocol FTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTP: CFString = "ftp "
/// An FTP account.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPAccount: CFString = "ftpa"
/// The protocol HTTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTP: CFString = "http"
/// The protocol IRC.
@safe nonisolated(unsafe) public let kSecAttrProtocolIRC: CFString = "irc "
/// The protocol NNTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolNNTP: CFString = "nntp"
/// The protocol POP3.
@safe nonisolated(unsafe) public let kSecAttrProtocolPOP3: CFString = "pop3"
/// The protocol SMTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolSMTP: CFString = "smtp"
/// The protocol SOCKS.
@safe nonisolated(unsafe) public let kSecAttrProtocolSOCKS: CFString = "sox "
/// The protocol IMAP.
@safe nonisolated(unsafe) public let kSecAttrProtocolIMAP: CFString = "imap"
/// The protocol LDAP.
@safe nonisolated(unsafe) public let kSecAttrProtocolLDAP: CFString = "ldap"
/// The protocol AppleTalk.
@safe nonisolated(unsafe) public let kSecAttrProtocolAppleTalk: CFString = "atlk"
/// The protocol AFP.
@safe nonisolated(unsafe) public let kSecAttrProtocolAFP: CFString = "afp "
/// The protocol Telnet.
@safe nonisolated(unsafe) public let kSecAttrProtocolTelnet: CFString = "teln"
/// The protocol SSH.
@safe nonisolated(unsafe) public let kSecAttrProtocolSSH: CFString = "ssh "
/// The protocol FTPS.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPS: CFString = "ftps"
/// The protocol HTTPS.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPS: CFString = "htps"
/// An HTTP proxy.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPProxy: CFString = "htpx"
/// An HTTPS proxy.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPSProxy: CFString = "htsx"
/// An FTP proxy.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPProxy: CFString = "ftpx"
/// The protocol SMB.
@safe nonisolated(unsafe) public let kSecAttrProtocolSMB: CFString = "smb "
/// The protocol RTSP.
@safe nonisolated(unsafe) public let kSecAttrProtocolRTSP: CFString = "rtsp"
/// An RTSP proxy.
@safe nonisolated(unsafe) public let kSecAttrProtocolRTSPProxy: CFString = "rtsx"
/// The protocol DAAP.
@safe nonisolated(unsafe) public let kSecAttrProtocolDAAP: CFString = "daap"
/// The protocol EPPC.
@safe nonisolated(unsafe) public let kSecAttrProtocolEPPC: CFString = "eppc"
/// The protocol IPP.
@safe nonisolated(unsafe) public let kSecAttrProtocolIPP: CFString = "ipp "
/// The protocol NNTPS.
@safe nonisolated(unsafe) public let kSecAttrProtocolNNTPS: CFString = "ntps"
/// The protocol LDAPS.
@safe nonisolated(unsafe) public let kSecAttrProtocolLDAPS: CFString = "ldps"
/// Telnet over TLS.
@safe nonisolated(unsafe) public let kSecAttrProtocolTelnetS: CFString = "tels"
/// The protocol IMAPS.
@safe nonisolated(unsafe) public let kSecAttrProtocolIMAPS: CFString = "imps"
/// The protocol IRCS.
@safe nonisolated(unsafe) public let kSecAttrProtocolIRCS: CFString = "ircs"
/// The protocol POP3S.
@safe nonisolated(unsafe) public let kSecAttrProtocolPOP3S: CFString = "pops"
/// The authentication scheme NTLM.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeNTLM: CFString = "ntlm"
/// The authentication scheme MSN.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeMSN: CFString = "msna"
/// The authentication scheme DPA.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeDPA: CFString = "dpaa"
/// The authentication scheme RPA.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeRPA: CFString = "rpaa"
/// HTTP Basic authentication.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"
/// HTTP Digest authentication.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"
/// A form on a web page.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"
/// The default authentication scheme.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeDefault: CFString = "dflt"

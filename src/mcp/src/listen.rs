//! Where clients connect: a TCP address or a Unix socket.

#![allow(
    clippy::disallowed_methods,
    reason = "a socket is a file that somebody must make and remove; nothing else is written"
)]

use std::fmt;
use std::fs::{self, DirBuilder, Metadata, Permissions};
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener as StdListener, UnixStream as StdStream};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use chemenu_core::source::Repository;
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};

/// Where to listen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// An address and a port; port 0 is any free one.
    Tcp(SocketAddr),
    /// A socket file that is made for it, for its owner alone.
    Unix(PathBuf),
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("unix:") {
            Some("") => Err("`unix:` must be followed by a path".into()),
            Some(path) => Ok(Self::Unix(path.into())),
            None => text
                .parse()
                .map(Self::Tcp)
                .map_err(|_| "it must be an address with a port, as `127.0.0.1:8321`, or `unix:` and a path".into()),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(f),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

impl Address {
    /// The folder in which the socket is made and removed.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Tcp(_) => None,
            Self::Unix(path) => Some(folder(path)),
        }
    }
}

/// A place where clients connect; a socket file is removed with it.
#[derive(Debug)]
pub struct Listener {
    kind: Kind,
    address: Address,
    /// Removed when it is dropped.
    _file: Option<SocketFile>,
}

#[derive(Debug)]
enum Kind {
    Tcp(TcpListener),
    Unix(UnixListener),
}

/// A client's connection.
pub(crate) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Listener {
    /// Listens, from within a runtime. Nothing is made where it fails.
    ///
    /// # Errors
    /// The address cannot be had, or is taken; a socket file would lie in the wiki, or something else lies there.
    pub async fn bind(address: &Address, repository: &Repository) -> io::Result<Self> {
        match address {
            Address::Tcp(address) => {
                let listener = TcpListener::bind(address).await?;
                Ok(Self { address: Address::Tcp(listener.local_addr()?), kind: Kind::Tcp(listener), _file: None })
            }
            Address::Unix(path) => {
                if repository.holds(path) {
                    return Err(io::Error::other("it lies in the wiki or in its `.git`"));
                }
                check_free(path)?;
                let (listener, file) = SocketFile::make(path)?;
                Ok(Self { address: address.clone(), kind: Kind::Unix(listener), _file: Some(file) })
            }
        }
    }

    /// Where it listens, the port included.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Whether only this machine can connect.
    pub fn is_local(&self) -> bool {
        match &self.address {
            Address::Tcp(address) => address.ip().is_loopback(),
            Address::Unix(_) => true,
        }
    }

    pub(crate) async fn accept(&self) -> io::Result<Stream> {
        match &self.kind {
            Kind::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                // An answer is written at once.
                _ = stream.set_nodelay(true);
                Ok(Stream::Tcp(stream))
            }
            Kind::Unix(listener) => listener.accept().await.map(|(stream, _)| Stream::Unix(stream)),
        }
    }
}

/// Whether a socket can be made at a path: nothing lies there, or the socket of a server that is dead.
fn check_free(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(metadata) if !metadata.file_type().is_socket() => {
            Err(io::Error::other("something that is no socket lies there"))
        }
        Ok(_) => match StdStream::connect(path) {
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => Ok(()),
            Err(error) => Err(error),
            Ok(_) => Err(io::Error::other("a server listens there already")),
        },
    }
}

/// A socket file of ours.
#[derive(Debug)]
struct SocketFile {
    path: PathBuf,
    /// Which file it is: another server may have put its own there since.
    identity: (u64, u64),
}

impl SocketFile {
    /// Makes it where nobody else can reach it, and moves it to its place once only its owner may use it.
    fn make(path: &Path) -> io::Result<(UnixListener, Self)> {
        let closed = folder(path).join(format!(".chemenu-{}", std::process::id()));
        // One that was killed in the middle of this may have had the same number: in a container it is always 1.
        let clear = || {
            _ = fs::remove_file(closed.join(NEW));
            _ = fs::remove_dir(&closed);
        };
        clear();
        DirBuilder::new().mode(0o700).create(&closed)?;
        let made = Self::make_in(&closed, path);
        clear();
        made
    }

    fn make_in(closed: &Path, path: &Path) -> io::Result<(UnixListener, Self)> {
        let new = closed.join(NEW);
        let listener = StdListener::bind(&new)?;
        listener.set_nonblocking(true)?;
        fs::set_permissions(&new, Permissions::from_mode(0o600))?;
        let identity = identity(&fs::symlink_metadata(&new)?);
        let listener = UnixListener::from_std(listener)?;
        fs::rename(&new, path)?;
        Ok((listener, Self { path: path.to_owned(), identity }))
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What a socket is called until it is in its place.
const NEW: &str = "s";

fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if fs::symlink_metadata(&self.path).is_ok_and(|metadata| identity(&metadata) == self.identity) {
            _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_written() {
        for text in ["127.0.0.1:8321", "[::1]:0", "unix:/run/chemenu/mcp.sock", "unix:a b"] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
        for text in ["", "unix:", "localhost", "127.0.0.1", "127.0.0.1:99999", "/run/x", "UNIX:/x"] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}

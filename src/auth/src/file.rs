//! The token file: read only while nobody else can read or change it, written as a whole by one writer at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, fchown};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::OFlags;

use crate::failure::Failure;
use crate::tokens::Tokens;

/// The longest file that is read, in bytes: some thousands of tokens.
const MAX_BYTES: u64 = 1024 * 1024;
/// How long a writer waits for another one.
const LOCK_PATIENCE: Duration = Duration::from_secs(10);

/// Reads the text of the token file at `path`. A link is followed; what counts is the file it leads to.
///
/// # Errors
/// The file cannot be read, belongs to somebody else, or others can read or replace it. No error shows its text.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let cannot = |error: std::io::Error| {
        let hint = match error.kind() {
            ErrorKind::NotFound => "make it with `chemenu-auth token add NAME --file FILE`",
            _ => "it must be a file that the user who runs this can read",
        };
        Failure::fatal(format!("the token file `{}` cannot be read: {error}", path.display()), hint)
    };
    // A pipe in its place must not keep the program waiting.
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(cannot)?;
    let folder = folder(path)?;
    check(path, &file, &folder)?;
    let mut text = String::new();
    file.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(cannot)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(Failure::fatal(
            format!("the token file `{}` is longer than {MAX_BYTES} bytes", path.display()),
            "revoke tokens that nobody uses, and see that it is the right file",
        ));
    }
    Ok(text)
}

/// The tokens in a file's text.
///
/// # Errors
/// The text is no token file.
pub(crate) fn parse(path: &Path, text: &str) -> Result<Tokens, Failure> {
    Tokens::parse(text).map_err(|message| {
        Failure::fatal(
            format!("the token file `{}` is not valid: {message}", path.display()),
            "mend it, or put an older copy back; until then no token is good",
        )
    })
}

/// Changes the tokens at `path` and replaces the file as a whole, with mode 0600. A file that is not there holds no token.
///
/// # Errors
/// What `change` says, and all that keeps the file from being read or written; it is then as it was.
pub(crate) fn change<T>(path: &Path, change: impl FnOnce(&mut Tokens) -> Result<T, Failure>) -> Result<T, Failure> {
    let folder = folder(path)?;
    check_folder(&folder)?;
    let _lock = lock(&folder)?;
    sweep(&folder);
    let missing = path.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound);
    // Looked up once: what is read is what is replaced, whoever exchanges links meanwhile.
    let target = if missing { path.to_owned() } else { resolve(path)? };
    let mut tokens = if missing { Tokens::default() } else { parse(path, &read(&target)?)? };
    let done = change(&mut tokens)?;
    write(&target, &folder, &tokens.text()).map_err(|error| {
        let hint = match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "make room on that disk; the file is as it was",
            _ => "the user who runs this must be able to make files in that folder",
        };
        Failure::fatal(format!("the token file `{}` cannot be written: {error}", path.display()), hint)
    })?;
    Ok(done)
}

/// What a new file is called until it is in its place.
const NEW: &str = ".chemenu-auth-";

/// Removes what writers left behind that were killed. Whoever holds the lock is the only writer.
fn sweep(folder: &Path) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(NEW) {
            _ = std::fs::remove_file(entry.path());
        }
    }
}

fn write(target: &Path, folder: &Path, text: &str) -> std::io::Result<()> {
    // Such files have mode 0600 from the start.
    let mut new = tempfile::Builder::new().prefix(NEW).tempfile_in(folder)?;
    new.write_all(text.as_bytes())?;
    if rustix::process::geteuid().is_root() {
        // What root writes for a service must be that service's: the old file's owner, else the folder's.
        let model = target.metadata().or_else(|_| folder.metadata())?;
        fchown(new.as_file(), Some(model.uid()), Some(model.gid()))?;
    }
    new.as_file().sync_all()?;
    new.persist(target).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}

/// The file that whoever writes holds a lock on; the token file itself is replaced each time, and a folder others could lock too.
const LOCK: &str = ".chemenu-auth.lock";

/// Keeps other writers out until it is dropped.
fn lock(folder: &Path) -> Result<File, Failure> {
    let cannot = |error: String| {
        Failure::fatal(
            format!("the folder `{}` cannot be locked: {error}", folder.display()),
            "the user who runs this must be able to make files in it, and no other program may hold `.chemenu-auth.lock`",
        )
    };
    let file = open_lock(folder).map_err(|error| cannot(error.to_string()))?;
    let began = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(cannot(error.to_string())),
            Err(TryLockError::WouldBlock) if began.elapsed() < LOCK_PATIENCE => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(cannot("another process holds it".into()));
            }
        }
    }
}

fn open_lock(folder: &Path) -> std::io::Result<File> {
    let no_link = OFlags::NOFOLLOW.bits().cast_signed();
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).mode(0o600).custom_flags(no_link);
    let file = options.open(folder.join(LOCK))?;
    if rustix::process::geteuid().is_root() {
        // The service must be able to lock it as well.
        let owner = folder.metadata()?;
        fchown(&file, Some(owner.uid()), Some(owner.gid()))?;
    }
    Ok(file)
}

/// The folder that holds the file, behind all links.
fn folder(path: &Path) -> Result<PathBuf, Failure> {
    let file =
        if path.is_symlink() { resolve(path)? } else { std::path::absolute(path).unwrap_or_else(|_| path.into()) };
    let folder = file.parent().unwrap_or(Path::new("/"));
    resolve(folder)
}

fn resolve(path: &Path) -> Result<PathBuf, Failure> {
    path.canonicalize().map_err(|error| {
        Failure::fatal(
            format!("`{}` leads nowhere: {error}", path.display()),
            "make the folder first, with `install -d -m 700`, and see where links lead",
        )
    })
}

fn check(path: &Path, file: &File, folder: &Path) -> Result<(), Failure> {
    let shown = path.display();
    let metadata = file.metadata().map_err(|error| {
        Failure::fatal(
            format!("the token file `{shown}` cannot be examined: {error}"),
            "see which file system it is on",
        )
    })?;
    if !metadata.is_file() {
        return Err(Failure::fatal(format!("the token file `{shown}` is no file"), "give a file in `--file`"));
    }
    let others = metadata.mode() & 0o077;
    if others != 0 {
        return Err(Failure::fatal(
            format!("others can use the token file `{shown}`: its mode is {:04o}", metadata.mode() & 0o7777),
            format!("run `chmod 600 {shown}`, and make new tokens if somebody may have read or changed it"),
        ));
    }
    check_folder(folder)?;
    if let Some(folder) = path.parent().filter(|_| path.is_symlink()) {
        // Who can write there can lead the link elsewhere.
        check_folder(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?;
    }
    if metadata.nlink() > 1 {
        return Err(Failure::fatal(
            format!("the token file `{shown}` has {} names", metadata.nlink()),
            "keep it under one name: what is revoked under the one would stay good under the other",
        ));
    }
    let user = rustix::process::geteuid();
    let folder_owner = folder.metadata().map(|folder| folder.uid());
    let trusted = metadata.uid() == user.as_raw()
        || metadata.uid() == 0
        // Root keeps a service's file for it.
        || user.is_root() && folder_owner.is_ok_and(|owner| owner == metadata.uid());
    if !trusted {
        return Err(Failure::fatal(
            format!("the token file `{shown}` belongs to somebody else: user {}", metadata.uid()),
            format!("run `chown {} {shown}` as root, once you know what it holds", user.as_raw()),
        ));
    }
    Ok(())
}

/// Whoever can write a folder can replace the files in it.
fn check_folder(folder: &Path) -> Result<(), Failure> {
    const STICKY: u32 = 0o1000;
    let shown = folder.display();
    let metadata = folder.metadata().map_err(|error| {
        Failure::fatal(format!("the folder `{shown}` cannot be examined: {error}"), "give a file in a folder of yours")
    })?;
    let (mode, user) = (metadata.mode(), rustix::process::geteuid());
    if !user.is_root() && metadata.uid() != 0 && metadata.uid() != user.as_raw() {
        return Err(Failure::fatal(
            format!("the folder `{shown}` belongs to somebody else: user {}", metadata.uid()),
            "keep the token file in a folder of yours",
        ));
    }
    if mode & 0o022 != 0 && mode & STICKY == 0 {
        return Err(Failure::fatal(
            format!("others can replace files in the folder `{shown}`: its mode is {:04o}", mode & 0o7777),
            format!("run `chmod go-w {shown}`, or keep the token file in a folder of its own"),
        ));
    }
    Ok(())
}

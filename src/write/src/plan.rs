//! Plans: what an operation would change, and how that is done without a torn file.

use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use chemenu_core::Error;

/// The changes of one operation, not made yet.
#[derive(Debug, Default)]
pub struct Plan {
    /// One for each file, sorted by path.
    pub changes: Vec<Change>,
}

/// The change of one file.
#[derive(Debug)]
pub struct Change {
    /// The page's path below the root.
    pub path: String,
    /// The file.
    pub file: PathBuf,
    /// Its bytes when it was read.
    pub before: Vec<u8>,
    /// Its bytes afterwards.
    pub after: Vec<u8>,
}

impl Plan {
    /// Makes the changes, file by file.
    ///
    /// # Errors
    /// [`Error::NotChanged`] at the first file that changed since it was read, or cannot be written; the files before it
    /// stay changed, each is either old or new as a whole.
    pub fn apply(&self) -> Result<(), Error> {
        for change in &self.changes {
            change.apply().map_err(|message| Error::NotChanged { path: change.path.clone(), message })?;
        }
        Ok(())
    }
}

impl Change {
    fn apply(&self) -> Result<(), String> {
        let words = |error: std::io::Error| error.to_string();
        let metadata = fs::symlink_metadata(&self.file).map_err(words)?;
        if metadata.permissions().readonly() {
            return Err("the file is read-only".into());
        }
        if !metadata.is_file() || fs::read(&self.file).map_err(words)? != self.before {
            return Err("the file changed since it was read".into());
        }
        let folder = self.file.parent().unwrap_or(Path::new("/"));
        let mut new = tempfile::Builder::new().prefix(".chemenu-").tempfile_in(folder).map_err(words)?;
        new.write_all(&self.after).map_err(words)?;
        new.as_file().set_permissions(metadata.permissions()).map_err(words)?;
        // Only root may give files away, and only root has anything to give back.
        let _ = std::os::unix::fs::fchown(new.as_file(), Some(metadata.uid()), Some(metadata.gid()));
        new.as_file().sync_all().map_err(words)?;
        new.persist(&self.file).map_err(|error| error.error.to_string())?;
        Ok(())
    }
}

//! The program confines itself: from here on nothing is writable but its own folders, no program can be started and no
//! connection made, whatever is found wrong in it.

use std::path::PathBuf;

use landlock::{
    ABI, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus,
};

/// What the rules are written for; an older kernel keeps those that it knows.
const RULES: ABI = ABI::V5;

/// Confines this thread and all that it starts: it is to be called while there is no other.
///
/// Below `writable`, folders that are there, files and sockets may be made, written and removed.
///
/// # Errors
/// Why the kernel confines nothing, a sentence without period.
pub fn confine(writable: &[PathBuf]) -> Result<(), String> {
    match restrict(writable) {
        Ok(RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced) => Ok(()),
        Ok(RulesetStatus::NotEnforced) => Err("this kernel has no Landlock".to_owned()),
        Err(error) => Err(format!("Landlock refused: {error}")),
    }
}

fn restrict(writable: &[PathBuf]) -> Result<RulesetStatus, RulesetError> {
    let (write, execute) = (AccessFs::from_write(RULES), BitFlags::from(AccessFs::Execute));
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(write | execute)?
        .handle_access(AccessNet::ConnectTcp)?
        .create()?;
    for folder in writable {
        // One that is not there stays as it is.
        if let Ok(folder) = PathFd::new(folder) {
            rules = rules.add_rule(PathBeneath::new(folder, write))?;
        }
    }
    Ok(rules.restrict_self()?.ruleset)
}

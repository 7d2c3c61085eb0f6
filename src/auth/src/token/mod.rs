//! `chemenu-auth token`: one command a file.

pub(crate) mod add;
pub(crate) mod list;
pub(crate) mod revoke;

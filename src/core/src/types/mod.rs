//! Types: stub until the real module lands.
use std::sync::Arc;
use serde_json::{Map, Value};
use crate::error::Error;
use crate::page::Page;
/// Schema files of the snapshot.
pub trait Files { /// Bytes of the file at `path` below the root.
fn read(&self, path: &str) -> Option<Vec<u8>>; }
/// A type.
pub struct Type { /// Name.
pub name: String }
/// All types.
#[derive(Default)]
pub struct Types {}
/// A violation.
pub struct Violation { /// .
pub level: Option<crate::lint::Level>, /// .
pub span: crate::text::Span, /// .
pub message: String, /// .
pub hint: String }
impl Types {
    /// .
    pub fn build(_: &[Arc<Page>], _: &dyn Files, _: &[String]) -> Self { Self {} }
    /// .
    pub fn of(&self, _: &Page) -> Option<&Type> { None }
    /// .
    pub fn owner(&self, _: &Page) -> Option<&str> { None }
    /// .
    pub fn holds_names(&self, _: &Page, _: &str) -> bool { false }
    /// .
    pub fn reads(&self, _: &str) -> bool { false }
    /// .
    pub fn violations(&self, _: &Page) -> Vec<Violation> { Vec::new() }
}
/// .
pub fn list(_: &Types, _: &[Arc<Page>]) -> Map<String, Value> { Map::new() }
/// .
pub fn describe(_: &Types, name: &str, _: &[Arc<Page>], _: impl Fn(&str) -> bool) -> Result<Map<String, Value>, Error> { Err(Error::TypeNotFound { name: name.into(), candidates: vec![] }) }

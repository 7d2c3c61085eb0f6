//! Python values as JSON, with errors that name the argument.

use chemenu_core::Error;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Map, Value};

/// Deeper values are refused: none of our arguments nests further, and a list may contain itself.
const MAX_DEPTH: usize = 8;

/// A question's arguments from a Python dict.
///
/// # Errors
/// Names and values that JSON cannot say.
pub(crate) fn from_python(question: &str, arguments: &Bound<'_, PyDict>) -> Result<Map<String, Value>, Error> {
    let mut map = Map::new();
    for (key, item) in arguments {
        let name = key.to_string();
        let value = value(&item, MAX_DEPTH).map_err(|message| Error::argument(question, &name, message))?;
        map.insert(name, value);
    }
    Ok(map)
}

/// A value as JSON, or a verb phrase that says why not.
fn value(item: &Bound<'_, PyAny>, depth: usize) -> Result<Value, String> {
    if depth == 0 {
        return Err("is nested too deeply".into());
    }
    if item.is_none() {
        Ok(Value::Null)
    } else if let Ok(truth) = item.cast::<PyBool>() {
        Ok(truth.is_true().into())
    } else if let Ok(text) = item.cast::<PyString>() {
        text.extract::<String>().map(Value::from).map_err(|_| "is no valid Unicode".into())
    } else if let Ok(number) = item.cast::<PyInt>() {
        let signed = number.extract::<i64>().map(Value::from);
        signed.or_else(|_| number.extract::<u64>().map(Value::from)).map_err(|_| "is too large a number".into())
    } else if let Ok(number) = item.cast::<PyFloat>() {
        Ok(number.value().into())
    } else if let Ok(list) = item.cast::<PyList>() {
        list.iter().map(|item| value(&item, depth - 1)).collect()
    } else if let Ok(tuple) = item.cast::<PyTuple>() {
        tuple.iter().map(|item| value(&item, depth - 1)).collect()
    } else if let Ok(dict) = item.cast::<PyDict>() {
        dict.iter().map(|(key, item)| Ok((key.to_string(), value(&item, depth - 1)?))).collect()
    } else {
        let kind = item.get_type().name().map(|name| name.to_string()).unwrap_or_default();
        Err(format!("is of the type `{kind}`, which JSON does not have"))
    }
}

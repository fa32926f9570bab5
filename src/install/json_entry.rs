//! One entry of an object, and items of a list, in a file of JSON.
//!
//! Owns putting them in and taking them out.

use super::jsonc::{File, Refusal, input};
use jsonc_parser::cst::{CstArray, CstObject};
use serde_json::{Value, json};

/// What is put into a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The objects that lead to it, by their names.
    pub path: &'static [&'static str],
    /// Its name.
    pub key: &'static str,
    /// What it is.
    pub value: Value,
    /// Whether its name is redraft's, so that another value under it is an older one of redraft's.
    pub whose: Whose,
}

/// Whose the name of an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// redraft's.
    Own,
    /// The harness's.
    Harness,
}

/// Items of a list that the file may have.
#[derive(Debug, Clone, PartialEq)]
pub struct Items {
    /// The objects that lead to it.
    pub path: &'static [&'static str],
    /// The name of the list.
    pub key: &'static str,
    /// What must be in it.
    pub items: Vec<&'static str>,
}

/// The object that is led to; it is made where `make`.
fn object(file: &File<'_>, path: &[&str]) -> Result<CstObject, Refusal> {
    let mut object = file.root.object_value().ok_or("is no JSON object")?;
    for (n, key) in path.iter().enumerate() {
        let wrong = || format!("has `{}` that is no object", path[..=n].join("."));
        object = object.object_value_or_create(key).ok_or_else(wrong)?;
    }
    Ok(object)
}

/// The object that is led to, where it is there.
fn found(file: &File<'_>, path: &[&str]) -> Option<CstObject> {
    path.iter().try_fold(file.root.object_value()?, |object, key| object.object_value(key))
}

impl Entry {
    fn is_there(&self, object: &CstObject) -> bool {
        object.get(self.key).and_then(|prop| prop.value()?.to_serde_value()).as_ref() == Some(&self.value)
    }

    /// The text with it.
    pub(super) fn added(&self, text: &[u8]) -> Result<String, Refusal> {
        let file = File::read(text)?;
        let object = object(&file, self.path)?;
        if self.is_there(&object) {
            return Ok(file.unchanged());
        }
        match object.get(self.key) {
            Some(_) if self.whose == Whose::Harness => {
                let names = self.path.iter().chain([&self.key]).copied().collect::<Vec<_>>().join(".");
                return Err(format!("has `{names}` already, with another value"));
            }
            Some(prop) => prop.set_value(input(&self.value)),
            None => drop(object.append(self.key, input(&self.value))),
        }
        Ok(file.changed())
    }

    /// The text without it.
    pub(super) fn removed(&self, text: &[u8]) -> Result<String, Refusal> {
        let file = File::read(text)?;
        let entry = found(&file, self.path).filter(|object| self.whose == Whose::Own || self.is_there(object));
        match entry.and_then(|object| object.get(self.key)) {
            Some(prop) => {
                prop.remove();
                remove_empty(&file, self.path);
                Ok(file.changed())
            }
            None => Ok(file.unchanged()),
        }
    }

    /// Whether it is in it.
    pub(super) fn is_in(&self, text: &[u8]) -> bool {
        let Ok(file) = File::read(text) else { return false };
        let of = found(&file, self.path);
        of.is_some_and(
            |object| if self.whose == Whose::Own { object.get(self.key).is_some() } else { self.is_there(&object) },
        )
    }
}

impl Items {
    fn has(list: &CstArray, item: &str) -> bool {
        list.elements().iter().any(|element| element.to_serde_value() == Some(json!(item)))
    }

    /// The text with them.
    pub(super) fn added(&self, text: &[u8]) -> Result<String, Refusal> {
        let file = File::read(text)?;
        let object = object(&file, self.path)?;
        let names = || self.path.iter().chain([&self.key]).copied().collect::<Vec<_>>().join(".");
        let list =
            object.array_value_or_create(self.key).ok_or_else(|| format!("has `{}` that is no list", names()))?;
        let missing: Vec<&&str> = self.items.iter().filter(|item| !Self::has(&list, item)).collect();
        if missing.is_empty() {
            return Ok(file.unchanged());
        }
        missing.into_iter().for_each(|item| drop(list.append(input(&json!(item)))));
        Ok(file.changed())
    }

    /// The text without them.
    pub(super) fn removed(&self, text: &[u8]) -> Result<String, Refusal> {
        let file = File::read(text)?;
        let Some(list) = found(&file, self.path).and_then(|object| object.array_value(self.key)) else {
            return Ok(file.unchanged());
        };
        let own = list.elements().into_iter().filter(|element| {
            element
                .to_serde_value()
                .and_then(|item| item.as_str().map(|item| self.items.contains(&item)))
                .unwrap_or(false)
        });
        let own: Vec<_> = own.collect();
        if own.is_empty() {
            return Ok(file.unchanged());
        }
        own.into_iter().for_each(|element| element.remove());
        if list.elements().is_empty() {
            found(&file, self.path).and_then(|object| object.get(self.key)).into_iter().for_each(|prop| prop.remove());
            remove_empty(&file, self.path);
        }
        Ok(file.changed())
    }

    /// Whether all of them are in it.
    pub(super) fn is_in(&self, text: &[u8]) -> bool {
        let Ok(file) = File::read(text) else { return false };
        let list = found(&file, self.path).and_then(|object| object.array_value(self.key));
        list.is_some_and(|list| self.items.iter().all(|item| Self::has(&list, item)))
    }
}

/// Takes out the objects that lead nowhere now, the innermost first.
fn remove_empty(file: &File<'_>, path: &[&str]) {
    for depth in (1..=path.len()).rev() {
        let (above, name) = (&path[..depth - 1], path[depth - 1]);
        let Some(outer) = found(file, above) else { return };
        match outer.object_value(name) {
            Some(inner) if inner.properties().is_empty() => outer.get(name).into_iter().for_each(|prop| prop.remove()),
            _ => return,
        }
    }
}

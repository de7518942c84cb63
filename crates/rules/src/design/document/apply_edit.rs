//! Applies edits to a document: finds the table, then changes its keys or its list.

use toml_edit::Value;

use super::edit::{DocumentEdit, TableList, TablePath};
use super::tree::{PathStep, child, path};
use super::{Document, cannot_edit, toml_text};
use moldloft_base::finding::{DesignEdit, DesignPart, Finding, Scalar};
use moldloft_base::source::toml::{TomlValue, parse};

impl Document {
    /// Applies an edit; returns the indices of the fits or ships that were added, and of a fit that was moved.
    ///
    /// # Errors
    /// `cannot-edit` when the target does not exist, or the file's form does not allow the change; nothing has changed
    /// then.
    pub fn apply(&mut self, edit: DocumentEdit) -> Result<Vec<usize>, Finding> {
        let none = |()| Vec::new();
        let ignore = |_: usize| Vec::new();
        match edit {
            DocumentEdit::Set { table, key, value } => self.set(&table, &key, value).map(none),
            DocumentEdit::Unset { table, key } => self.unset(&table, &key).map(none),
            DocumentEdit::Insert { list, at, keys } => {
                let at = self.insert(&list, at, &borrow_pairs(&keys))?;
                Ok(if matches!(list, TableList::Fits | TableList::Ships) { vec![at] } else { Vec::new() })
            }
            DocumentEdit::Remove { list, at } => self.remove(&list, at).map(none),
            DocumentEdit::Reorder { list, from, to } => {
                self.reorder(&list, from, to)?;
                Ok(if list == TableList::Fits { vec![to] } else { Vec::new() })
            }
            DocumentEdit::AddFit { at, system, mount, count, parameters } => {
                self.add_fit(at, &system, mount.as_deref(), count, &borrow_pairs(&parameters)).map(|fit| vec![fit])
            }
            DocumentEdit::Paste { text, at } => self.insert_fits(&text, at),
            DocumentEdit::PasteShips { text, at } => self.insert_ships(&text, at),
            DocumentEdit::AddCustomSystem { id, like, keys } => {
                self.add_custom_system(&id, &like, &borrow_pairs(&keys)).map(ignore)
            }
            DocumentEdit::DuplicateShip { ship } => self.duplicate_ship(ship).map(|ship| vec![ship]),
            DocumentEdit::SplitShip { ship } => self.split_ship(ship).map(none),
            DocumentEdit::SetDamage { unit, damage } => self.set_damage(&[(unit, damage)]).map(|_| Vec::new()),
            DocumentEdit::AddCarried { ship, relation, design, count } => {
                self.add_carried(ship, &relation, &design, count).map(ignore)
            }
            DocumentEdit::SetLoad { ship, system, mount, key, value } => {
                self.set_load(ship, &system, mount.as_deref(), &key, value).map(none)
            }
            DocumentEdit::EmbedDesign { text } => self.embed(&text).map(ignore),
            DocumentEdit::Fix(edits) => self.apply_edits(&edits).map(none),
            DocumentEdit::SetAt { path, value, header } => self.set_at(&path, &value, header).map(none),
            DocumentEdit::UnsetAt { path, notes } => self.unset_at(&path, &notes).map(none),
            DocumentEdit::PushAt { path, value, header } => self.push_at(&path, value, header).map(none),
            DocumentEdit::AppendTable { list, keys } => self.append_table(&list, keys).map(none),
        }
    }

    /// Lists of tables get a header for each, as a person would write them.
    fn append_table(&mut self, list: &str, keys: Vec<(String, Value)>) -> Result<(), Finding> {
        let tables = |value: &Value| {
            value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(Value::is_inline_table))
        };
        let (nested, plain): (Vec<_>, Vec<_>) = keys.into_iter().partition(|(_, value)| tables(value));
        let at = self.add_table(&path(&[list]), usize::MAX, &borrow_pairs(&plain))?;
        for (key, value) in &nested {
            let steps: Vec<PathStep> = vec![list.into(), PathStep::Nth(at), key.as_str().into()];
            for table in value.as_array().into_iter().flatten().filter_map(Value::as_inline_table) {
                let keys: Vec<(&str, Value)> = table.iter().map(|(key, value)| (key, value.clone())).collect();
                self.add_table(&steps, usize::MAX, &keys)?;
            }
        }
        Ok(())
    }

    /// Sets a key. A group's new id also reaches the group's ships.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such table, or the file's form does not allow it.
    pub fn set(&mut self, table: &TablePath, key: &str, value: impl Into<Value>) -> Result<(), Finding> {
        match table {
            TablePath::Group(group) if key == "id" => self.set_group_id(*group, &value.into()),
            _ => self.set_key(&self.steps_to(table)?, key, &value.into()),
        }
    }

    /// Removes a key, if present.
    ///
    /// # Errors
    /// As [`Document::set`].
    pub fn unset(&mut self, table: &TablePath, key: &str) -> Result<(), Finding> {
        self.remove_key(&self.steps_to(table)?, key)
    }

    /// How many tables a list has; 0 when there is no such list.
    pub fn count(&self, list: &TableList) -> usize {
        self.list_steps(list).map_or(0, |steps| self.table_count(&steps))
    }

    /// Inserts a table before table `at`, or at the end; returns its index.
    ///
    /// # Errors
    /// `cannot-edit` when the file's form does not allow it.
    pub fn insert(&mut self, list: &TableList, at: usize, keys: &[(&str, Value)]) -> Result<usize, Finding> {
        let steps = self.list_steps(list)?;
        let exists = self.tree.value(&steps).is_some() || !self.tree.statements_below(&steps).is_empty();
        match list {
            TableList::Rows(field) if !exists => self.insert_first_row(field, keys),
            TableList::Carried { ship, relation } if !exists => {
                self.set_key(&self.entry_steps("ship", *ship)?, relation, &toml_text::array_of(keys)).map(|()| 0)
            }
            _ => self.add_table(&steps, at, keys),
        }
    }

    /// Removes a table with its own comments: inside it, directly above it, and after it on its lines. The comments of
    /// a row stay. With the last carried unit, the relation's key is removed; with a group, the key of its ships.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such table.
    pub fn remove(&mut self, list: &TableList, at: usize) -> Result<(), Finding> {
        let steps = self.list_steps(list)?;
        match list {
            TableList::Carried { ship, relation } if at == 0 && self.table_count(&steps) == 1 => {
                self.unset(&TablePath::Ship(*ship), relation)
            }
            TableList::Groups => self.remove_group(at),
            _ => self.remove_table(&steps, at, matches!(list, TableList::Rows(_))),
        }
    }

    /// Moves a table, with its own comments, to index `to`.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such table.
    pub fn reorder(&mut self, list: &TableList, from: usize, to: usize) -> Result<(), Finding> {
        self.move_table(&self.list_steps(list)?, from, to)
    }

    /// Inserts a fit before fit `at`, or at the end; returns its index. A count of 1 is not written.
    ///
    /// # Errors
    /// `cannot-edit` when the file's form does not allow it.
    pub fn add_fit(
        &mut self,
        at: usize,
        system: &str,
        mount: Option<&str>,
        count: u32,
        parameters: &[(&str, Value)],
    ) -> Result<usize, Finding> {
        let mut pairs = vec![("system", Value::from(system))];
        pairs.extend(mount.map(|mount| ("mount", Value::from(mount))));
        pairs.extend((count != 1).then(|| ("count", Value::from(i64::from(count)))));
        pairs.extend(parameters.iter().cloned());
        self.insert(&TableList::Fits, at, &pairs)
    }

    /// Appends a custom system; returns its index.
    ///
    /// # Errors
    /// `cannot-edit` when the file's form does not allow it.
    pub fn add_custom_system(&mut self, id: &str, like: &str, keys: &[(&str, Value)]) -> Result<usize, Finding> {
        let mut pairs = vec![("id", Value::from(id)), ("like", Value::from(like))];
        pairs.extend(keys.iter().cloned());
        self.insert(&TableList::CustomSystems, usize::MAX, &pairs)
    }

    /// Applies the edits that fix a finding, in order; if one is refused, none takes effect.
    ///
    /// # Errors
    /// As [`Document::apply`].
    pub fn apply_edits(&mut self, edits: &[DesignEdit]) -> Result<(), Finding> {
        self.transaction(|document| edits.iter().try_for_each(|edit| document.apply_design_edit(edit)))
    }

    fn apply_design_edit(&mut self, edit: &DesignEdit) -> Result<(), Finding> {
        let set = |document: &mut Self, table: TablePath, key: &str, value: &Scalar| {
            document.set(&table, key, written_scalar(value))
        };
        match edit {
            DesignEdit::SetField { field, value } => set(self, TablePath::Fields, field, value),
            DesignEdit::SetCell { field, row, column, value } => {
                set(self, TablePath::Row { field: field.to_string(), row: *row }, column, value)
            }
            DesignEdit::SetFit { fit, key, value } => set(self, TablePath::Fit(*fit as usize), key, value),
            DesignEdit::SetCustomSystem { system, key, value } => {
                let table = TablePath::CustomSystem(self.custom_system_index(system)?);
                set(self, table, key, value)
            }
            DesignEdit::AddFit { system, mount, count, parameters } => {
                let parameters: Vec<(&str, Value)> =
                    parameters.iter().map(|(key, value)| (&**key, written_scalar(value))).collect();
                self.add_fit(usize::MAX, system, mount.as_deref(), *count, &parameters).map(|_| ())
            }
            DesignEdit::RemoveFit { fit } => self.remove(&TableList::Fits, *fit as usize),
            DesignEdit::RemoveKey { part, key } => {
                let table = match part {
                    DesignPart::Fit(fit) => TablePath::Fit(*fit as usize),
                    DesignPart::Field(_) => TablePath::Fields,
                    DesignPart::Row { field, row } => TablePath::Row { field: field.to_string(), row: *row },
                    DesignPart::CustomSystem(system) => TablePath::CustomSystem(self.custom_system_index(system)?),
                    DesignPart::Design | DesignPart::TopKey(_) => TablePath::Top,
                    DesignPart::System(_) | DesignPart::Mount(_) => {
                        return Err(cannot_edit("systems and mounts have no keys to remove"));
                    }
                    DesignPart::Ship { .. } | DesignPart::Group(_) => {
                        return Err(cannot_edit("a design has no ships and groups"));
                    }
                };
                self.unset(&table, key)
            }
        }
    }

    fn steps_to(&self, table: &TablePath) -> Result<Vec<PathStep>, Finding> {
        match table {
            TablePath::Top => Ok(Vec::new()),
            TablePath::Fields => Ok(path(&["fields"])),
            TablePath::Row { field, row } => self
                .table_path(&path(&["fields", field]), *row)
                .ok_or_else(|| cannot_edit(format!("`{field}` has no row {}", row + 1))),
            TablePath::Fit(fit) => self.entry_steps("fit", *fit),
            TablePath::CustomSystem(system) => self.entry_steps("system", *system),
            TablePath::Ship(ship) => self.entry_steps("ship", *ship),
            TablePath::Carried { ship, relation, at } => self.carried_steps(*ship, relation, *at),
            TablePath::Group(group) => self.entry_steps("group", *group),
        }
    }

    fn list_steps(&self, list: &TableList) -> Result<Vec<PathStep>, Finding> {
        Ok(match list {
            TableList::Rows(field) => path(&["fields", field]),
            TableList::Fits => path(&["fit"]),
            TableList::CustomSystems => path(&["system"]),
            TableList::Ships => path(&["ship"]),
            TableList::Carried { ship, relation } => {
                child(&self.entry_steps("ship", *ship)?, PathStep::Key(relation.clone()))
            }
            TableList::Groups => path(&["group"]),
            TableList::Designs => path(&["design"]),
        })
    }

    pub(super) fn entry_steps(&self, key: &str, index: usize) -> Result<Vec<PathStep>, Finding> {
        self.table_path(&path(&[key]), index)
            .ok_or_else(|| cannot_edit(format!("unknown `{key}` number {}", index + 1)))
    }

    pub(super) fn carried_steps(&self, ship: usize, relation: &str, at: usize) -> Result<Vec<PathStep>, Finding> {
        let list = child(&self.entry_steps("ship", ship)?, PathStep::Key(relation.to_owned()));
        self.table_path(&list, at).ok_or_else(|| cannot_edit(format!("the ship has no `{relation}` number {}", at + 1)))
    }

    fn custom_system_index(&self, id: &str) -> Result<usize, Finding> {
        let (root, _) = parse(&self.text, 0);
        let named = |data: &TomlValue<'_>| match data {
            TomlValue::Table(table) => {
                matches!(table.get("id").map(|node| &node.data), Some(TomlValue::Text(text)) if *text == id)
            }
            _ => false,
        };
        let place = match root.get("system").map(|node| &node.data) {
            Some(TomlValue::List(list)) => list.iter().position(|node| named(&node.data)),
            Some(table) if named(table) => Some(0),
            _ => None,
        };
        place.ok_or_else(|| cannot_edit(format!("the design has no [[system]] `{id}`")))
    }
}

fn borrow_pairs(pairs: &[(String, Value)]) -> Vec<(&str, Value)> {
    pairs.iter().map(|(key, value)| (key.as_str(), value.clone())).collect()
}

/// As a design writes it.
pub fn written_scalar(scalar: &Scalar) -> Value {
    match scalar {
        Scalar::Number(number) => (*number).into(),
        Scalar::Flag(flag) => (*flag).into(),
        Scalar::Text(text) => (&**text).into(),
    }
}

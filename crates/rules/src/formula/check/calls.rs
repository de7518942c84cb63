//! Checks calls: built-in functions by their table, others by the scope.

use moldloft_base::finding::did_you_mean;
use moldloft_base::source::Span;

use super::super::chance;
use super::super::functions::{self, CallArguments, CheckedArgument, Function};
use super::super::node::{FormulaNode, NodeOp};
use super::super::print::print;
use super::super::syntax::{ArgumentExpr, Ident};
use super::super::{Argument, Formula, FormulaCall, FormulaError, NameSource, Value};
use super::{Checker, TypedNode, nodes};

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        function: &Ident,
        given: &[ArgumentExpr],
        at: Span,
    ) -> Result<TypedNode, FormulaError> {
        if let Some(call) = self.scope.formula_call(&function.text) {
            return self.with_formulas(call, function, given, at);
        }
        let is_dice = || chance::DICE_FUNCTIONS.iter().any(|(name, ..)| *name == &*function.text);
        let is_known = functions::find(&function.text).is_some() || is_dice();
        if !is_known && !self.scope.functions().iter().any(|name| **name == *function.text) {
            // A wrong name of a function is reported rather than what its arguments read.
            return self.host(function, &[], Vec::new(), at);
        }
        let checked = given.iter().map(|given| self.check(&given.value)).collect::<Result<Vec<_>, _>>()?;
        match functions::find(&function.text) {
            Some(function) => self.pure(function, given, checked, at),
            None if is_dice() => {
                let checked = checked.into_iter().map(|argument| (argument.node, argument.ty)).collect();
                let (node, ty) = chance::roll_call(&function.text, given, checked, at, self.scope.has_dice())?;
                Ok(TypedNode::plain(node, ty, false))
            }
            None => self.host(function, given, checked, at),
        }
    }

    /// Compiles each argument as a formula of its own.
    fn with_formulas(
        &self,
        call: &dyn FormulaCall,
        function: &Ident,
        given: &[ArgumentExpr],
        at: Span,
    ) -> Result<TypedNode, FormulaError> {
        if let Some(name) = given.iter().find_map(|given| given.name.as_ref()) {
            let message = format!("`{}` takes no named arguments, found `{}=`", function.text, name.text);
            return Err(FormulaError::new("unknown-argument", message, self.span(&name.span))
                .help(format!("use `==` to compare: {}({} == …)", function.text, name.text)));
        }
        let mut arguments = Vec::with_capacity(given.len());
        for (place, given) in given.iter().enumerate() {
            let expected = call.expected(&function.text, place);
            let formula = Formula::of_expr(&print(&given.value), &given.value, self.at, call.scope(), &expected)?;
            arguments.push(Formula { at: self.span(&given.value.span), ..formula });
        }
        let bound = call.bind(&function.text, arguments, at)?;
        let op = NodeOp::HostCall(bound.call, Box::new([]));
        Ok(TypedNode::plain(FormulaNode { op, at }, bound.ty, false))
    }

    fn pure(
        &self,
        function: &'static Function,
        written: &[ArgumentExpr],
        checked: Vec<TypedNode>,
        at: Span,
    ) -> Result<TypedNode, FormulaError> {
        let list: Vec<CheckedArgument<'_>> = (written.iter().zip(&checked))
            .map(|(written, checked)| CheckedArgument { written, ty: &checked.ty, at: checked.node.at })
            .collect();
        let given = CallArguments { function, list: &list, at, base: self.at };
        if let Some(name) = written.iter().filter(|_| !function.named).find_map(|given| given.name.as_ref()) {
            let message = format!("`{}` takes no named arguments, found `{}=`", function.name, name.text);
            return Err(FormulaError::new("unknown-argument", message, self.span(&name.span)).help(given.usage()));
        }
        let (least, most) = function.takes;
        if checked.len() < least || checked.len() > most {
            let wanted = match (least, most) {
                (1, 1) => "1 argument".to_owned(),
                (least, most) if least == most => format!("{least} arguments"),
                (least, usize::MAX) => format!("at least {least} argument{}", if least == 1 { "" } else { "s" }),
                (least, most) => format!("{least} to {most} arguments"),
            };
            let message = format!("`{}` takes {wanted}, found {}", function.name, checked.len());
            return Err(FormulaError::new("wrong-arguments", message, at).help(given.usage()));
        }
        if function.named && written[0].name.is_some() {
            let message = format!("`{}` takes rows as its first argument", function.name);
            return Err(FormulaError::new("wrong-arguments", message, given.at(0)).help(given.usage()));
        }
        let ty = (function.check)(&given)?;
        let constant = checked.iter().all(|item| item.constant);
        let naming = self.call_naming(function, written, &checked);
        let numbers = function.numbers.filter(|_| function.values.is_none() || checked.len() > 1);
        let items = nodes(self.with_kinds(function, written, checked));
        let op = match (numbers, function.values) {
            (Some(numbers), _) => NodeOp::NumberCall(function, numbers, items),
            (None, Some(values)) => {
                let names = written.iter().filter_map(|given| given.name.as_ref()).map(|name| name.text.clone());
                NodeOp::ValueCall(function, values, items, names.collect())
            }
            // A test ensures that the table gives each function one of the two.
            (None, None) => NodeOp::Const(Value::Null),
        };
        Ok(TypedNode { naming, ..TypedNode::plain(FormulaNode { op, at }, ty, constant) })
    }

    fn host(
        &self,
        function: &Ident,
        written: &[ArgumentExpr],
        checked: Vec<TypedNode>,
        at: Span,
    ) -> Result<TypedNode, FormulaError> {
        let arguments: Vec<Argument<'_>> = written
            .iter()
            .zip(&checked)
            .map(|(given, checked)| Argument {
                name: given.name.as_ref().map(|name| &*name.text),
                literal: given.value.literal(),
                ty: checked.ty.clone(),
                span: checked.node.at,
            })
            .collect();
        let Some(bound) = self.scope.call(&function.text, &arguments) else {
            let own = self.scope.functions();
            let known = functions::FUNCTIONS.iter().map(|function| function.name).chain(own.iter().map(|name| &**name));
            let help = did_you_mean(&function.text, known.clone()).unwrap_or_else(|| match foreign(&function.text) {
                Some(help) => help.to_owned(),
                None => format!("use one of: {}", known.collect::<Vec<_>>().join(", ")),
            });
            let message = format!("unknown function `{}`", function.text);
            return Err(FormulaError::new("unknown-function", message, self.span(&function.span)).help(help));
        };
        let bound = bound?;
        let mut parts: Vec<Option<FormulaNode>> = checked.into_iter().map(|checked| Some(checked.node)).collect();
        let pass = bound.passed_arguments.iter().filter_map(|place| parts.get_mut(*place)?.take()).collect();
        let naming = self.naming(NameSource::Call(bound.call));
        let op = NodeOp::HostCall(bound.call, pass);
        Ok(TypedNode { naming, ..TypedNode::plain(FormulaNode { op, at }, bound.ty, false) })
    }
}

/// Functions of other languages, with the equivalent here.
fn foreign(name: &str) -> Option<&'static str> {
    Some(match name {
        "len" | "size" => "use length(list)",
        "floor" | "int" | "trunc" => "use `//` to round down",
        "ceil" | "ceiling" | "roundup" => "use ceil_div(a, b) to round up",
        "round" => "use round_div(a, b) to round to the nearest, rounded(how, a, b) to round by `how`",
        "if" | "iff" | "choose" => "use `a if condition else b`",
        "str" | "text" => "use {{ number }} in a message",
        "sorted" => "use sort(list)",
        "filter" | "select" => "use where(rows, column=value)",
        "lookup" | "vlookup" => "use row(table, key…)",
        _ => return None,
    })
}

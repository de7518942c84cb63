//! The functions of the language in one table: name, arguments, help, check and implementation. Functions about a ship
//! (`count`, `total`, `row`) belong to the scope.

mod call_arguments;
mod lists;
mod numbers;
mod rows;
mod texts;
mod written_numbers;

pub use call_arguments::Function;
pub(super) use call_arguments::{CallArguments, CheckedArgument, NumberFn, ValueFn, comparable, options_hold};
pub(super) use numbers::Rounding;
pub use texts::faces_by_roll;
pub use written_numbers::ranges_of;

#[rustfmt::skip] // A function a line.
pub static FUNCTIONS: [Function; 33] = [
    Function::of_numbers("abs", "a", (1, 1), numbers::check, numbers::abs, "a without its sign"),
    Function::of_values("by_roll", "text, sides", (2, 2), texts::check_by_roll, texts::by_roll,
        "what a text says for each face of a die: by_roll('1–4: 0 · 5–6: hit', 6) is [0, 0, 0, 0, 'hit', 'hit']; an empty list where it does not say one thing for each"),
    Function::of_numbers("ceil_div", "a, b", (2, 2), numbers::check_division, numbers::ceil_div, "a divided by b, rounded up"),
    Function::of_numbers("clamp", "a, low, high", (3, 3), numbers::check, numbers::clamp,
        "a, but at least `low` and at most `high` (`low` if they cross)"),
    Function::of_values("column", "rows, 'name'", (2, 2), rows::check_column, rows::column, "the list of the values in one column"),
    Function::of_values("covering", "rows, n", (2, 2), rows::check_covering, rows::covering, "the row whose `from` and `to` cover n"),
    Function::of_values("covers", "rows, low, high", (3, 3), rows::check_covers, rows::covers,
        "whether the rows' `from` and `to` cover each number from `low` to `high` once, and none outside"),
    Function::of_values("filled", "list, n", (2, 2), lists::check_filled, lists::filled,
        "how many numbers of a list n fills, one after the other: filled([9, 7, 7], 17) is 2, as rows of a track that 17 hits complete"),
    Function::of_values("first", "list, n", (2, 2), lists::check_first, lists::first, "the first n items of a list, all of a shorter one"),
    Function::of_values("has_form", "text, 'form', …", (2, usize::MAX), texts::check_has_form, texts::has_form,
        "whether a text is, from end to end, one of these forms, in which # is any number: has_form('3D6', '#D6', 'none') holds; a dash is a dash however it is written, and `3 to 5` is `3–5`"),
    Function::of_values("is_arcs", "text", (1, 1), texts::check_is_arcs, texts::is_arcs,
        "whether a text is arcs that can be drawn: `port`, `forward 120°`, `aft starboard`, `300-60`, `all round`, lists of these with commas"),
    Function::of_values("join", "list, 'between'", (2, 2), lists::check_join, lists::join, "one text of all items, with a text between them"),
    Function::of_values("length", "list", (1, 1), lists::check_length, lists::length, "how many items a list has, or characters a text"),
    Function::of_numbers("max", "a, b, …", (1, usize::MAX), numbers::check_extreme, numbers::max,
        "the greatest of some numbers, or of a list").or_values(lists::max),
    Function::of_numbers("min", "a, b, …", (1, usize::MAX), numbers::check_extreme, numbers::min,
        "the least of some numbers, or of a list").or_values(lists::min),
    Function::of_values("number", "text, otherwise", (1, 2), texts::check_number, texts::number,
        "the number that a text begins with: 3 of '3D6', 12 of '12 MU', -2 of '−2'; `otherwise` if it begins with none, without which that is an error"),
    Function::of_values("numbers", "text", (1, 1), written_numbers::check_numbers, written_numbers::numbers,
        "the numbers in a text, in their order: 4 and 6 of 4D6, 2, 3, 4 and 5 of 2–5, none of `nothing`"),
    Function::of_values("places", "items, list", (2, 2), lists::check_places, lists::places,
        "the place of each item in a list, from 0; an item that is not in it is an error"),
    Function::of_values("put", "list, place, value", (3, 3), lists::check_put, lists::put, "the list with the item at this place (from 0) replaced"),
    Function::of_values("range", "a, b", (1, 2), lists::check_range, lists::range,
        "the list of numbers from a up to but not including b; range(n) starts at 0"),
    Function::of_values("repeat", "a, n", (2, 2), lists::check_repeat, lists::repeat, "a list of n times a"),
    Function::of_values("rising", "list", (1, 1), lists::check_rising, lists::rising, "whether no number is less than the one before it"),
    Function::of_numbers("round_div", "a, b", (2, 2), numbers::check_division, numbers::round_div,
        "a divided by b, rounded to the nearest, halves up"),
    Function::of_values("rounded", "how, a, b", (3, 3), numbers::check_rounded, numbers::rounded,
        "a divided by b, rounded by `how`: 'nearest' (halves up), 'down' or 'up'"),
    Function::of_values("sort", "list", (1, 1), lists::check_sort, lists::sort, "the numbers or texts of a list in order"),
    Function::of_values("split", "text, 'between'", (2, 2), texts::check_split, texts::split,
        "the parts of a text between which this is, without spaces around them: split('10, D5 pulses', ',')[1] is 'D5 pulses'"),
    Function::of_values("split_rows", "n, rows", (2, 2), lists::check_split_rows, lists::split_rows,
        "n boxes split into that many equal rows, the whole remainder in the first; rows without boxes are skipped"),
    Function::of_values("spread", "boxes, 'kind', n, …", (3, usize::MAX), rows::check_spread, rows::spread,
        "a list of `boxes` texts with n of each kind spread evenly, earlier kinds first, '' for the rest"),
    Function::of_values("sum", "list", (1, 1), lists::check_sum, lists::sum,
        "the total of a list of numbers, 0 if empty; for what is fitted, use total('name')"),
    Function::of_values("take", "points, counts, order", (3, 3), lists::check_take, lists::take,
        "the counts after points are taken from them one by one, along the places in `order`, round and round; those at 0 are skipped"),
    Function::of_values("uncovered", "rows, low, high", (3, 3), rows::check_uncovered, rows::uncovered,
        "the numbers for which `covers` fails: those covered by no row or by several, and those outside"),
    Function::of_values("unique", "list", (1, 1), lists::check_sort, lists::unique, "the numbers or texts of a list, each once, in order"),
    Function::of_values("where", "rows, column=value, …", (2, usize::MAX), rows::check_where, rows::filter,
        "the rows whose columns have these values").with_names(),
];

pub(super) fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

//! File names made from what a player calls a thing: never a path, never empty, never longer than a file system takes.

/// `Patient Margaret` → `patient-margaret.toml`.
pub fn file_name(name: &str) -> String {
    let kebab: String =
        name.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).take(60).collect();
    let words: Vec<&str> = kebab.split('-').filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "design.toml".to_owned() } else { format!("{}.toml", words.join("-")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_file_names() {
        assert_eq!(file_name("Patient  Margaret!"), "patient-margaret.toml");
        assert_eq!(file_name("../../etc/passwd"), "etc-passwd.toml");
        assert_eq!(file_name("Jaskółka"), "jaskółka.toml");
        assert_eq!(file_name("///"), "design.toml");
    }
}

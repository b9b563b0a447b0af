//! `completions`.

use clap::Args;
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  gaintree completions bash > ~/.local/share/bash-completion/completions/gaintree
  gaintree completions zsh > ~/.zfunc/_gaintree
  gaintree completions fish > ~/.config/fish/completions/gaintree.fish";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

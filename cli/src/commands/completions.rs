//! `completions`.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;
use crate::output::print;
use crate::process::Result;

#[derive(Args)]
#[command(after_help = "\
Examples:
  gaintree completions bash > ~/.local/share/bash-completion/completions/gaintree
  gaintree completions zsh > ~/.zfunc/_gaintree
  gaintree completions fish > ~/.config/fish/completions/gaintree.fish")]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

pub fn run(args: CompletionsArgs) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "gaintree", &mut script);
    print(&String::from_utf8_lossy(&script))
}

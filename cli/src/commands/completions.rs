//! `completions`.

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::output::print;
use crate::process::Result;

pub fn run(args: CompletionsArgs) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "gaintree", &mut script);
    print(&String::from_utf8_lossy(&script))
}

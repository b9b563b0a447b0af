//! The examples run, as the README promises.

#[path = "../../examples/quickstart.rs"]
mod quickstart;
#[path = "../../examples/rank_by_group.rs"]
mod rank_by_group;
#[path = "../../examples/score_parquet.rs"]
mod score_parquet;

#[test]
fn each_runs_to_its_end() {
    quickstart::main().expect("quickstart");
    rank_by_group::main().expect("rank_by_group");
    score_parquet::main().expect("score_parquet");
}

//! Pictures as a user asks for them.

use super::*;

#[test]
fn dot_needs_nothing() {
    let place = Place::after("fit weather.csv --target play --algorithm id3 -o m.json");
    let dot = place.done("show m.json --as dot");
    assert!(dot.starts_with("digraph \"play\" {\n") && dot.ends_with("}\n"), "{dot}");
    assert_eq!(dot.matches(" -> ").count(), 8 - 1);
    assert!(dot.contains("0 -> 1 [label=\"== overcast\", penwidth=2.3];"), "{dot}");
    let folded = place.done("show m.json --as dot --max-depth 1");
    assert_eq!(folded.matches(" -> ").count(), 3);
    assert_eq!(folded.matches("style=dashed").count(), 2);
}

#[cfg(feature = "plot")]
#[test]
fn pictures_go_where_they_are_to() {
    let place = Place::after("fit iris.parquet --target species -o m.json --importance used.svg");
    place.done("forest iris.parquet --target species --trees 9 -o f.json --error-curve errors.svg");
    for words in [
        "show m.json -o tree.svg",
        "show m.json -o tree.html",
        "report m.json iris.parquet -o report.html",
        "rank iris.parquet --target species -o rank.SVG",
        "rank weather.csv --target play --sort-by gain-ratio -o ratio.svg",
        "curve iris.parquet --target species --feature petal_width_cm -o x.svg",
        "curve weather.csv --target play --feature outlook -o x.svg",
        "rank loan.csv --target approved --given owns_house -o given.svg",
        "matrix iris.parquet -o pairs.svg",
        "matrix iris.parquet --form wide -o wide.svg",
        "select iris.parquet --target species -o steps.svg",
        "screen iris.parquet --target species -o screen.svg",
        "screen iris.parquet --target species -o screen.html",
        "woe weather.csv --target play -o iv.svg",
        "woe weather.csv --target play --features outlook --intervals 3 -o woe.svg",
        "drift iris.parquet iris.parquet -o psi.svg",
        "show f.json --tree 2 -o second.svg",
        "importance f.json iris.parquet --out-of-bag -o permuted.svg",
        "contributions f.json iris.parquet --event setosa -o all.svg",
        "contributions f.json iris.parquet --event setosa --row 3 -o row.svg",
        "report f.json iris.parquet --out-of-bag -o forest.html",
        "corrected-importance iris.parquet --target species --permutations 10 --trees 2 -o gains.svg",
        "drift iris.parquet iris.parquet --features petal_width_cm -o d.svg",
    ] {
        let name = words.rsplit(' ').next().expect("a name");
        assert_eq!(place.done(words), "", "{words}");
        let first = place.text(name);
        let start = if name.ends_with("html") { "<!DOCTYPE html>" } else { "<svg " };
        assert!(first.starts_with(start), "{words}");
        place.done(words);
        assert_eq!(place.text(name), first, "{words}");
    }
    assert!(place.text("ratio.svg").contains("gain ratio"));
    assert!(place.text("woe.svg").contains("outlook == sunny: 0.993"));
    assert!(place.text("d.svg").contains("petal_width_cm == 0.2: "));
    assert!(place.text("used.svg").contains("importance"));
    assert!(place.text("errors.svg").contains("out-of-bag error by trees, "));
    assert!(place.text("permuted.svg").contains("whiskers"));
    assert!(place.text("row.svg").contains("petal_width_cm = 0.2: +"));
    assert!(place.text("gains.svg").contains("corrected gain"));
    assert!(place.text("given.svg").contains("gain given"));
    assert!(place.text("pairs.svg").contains("petal_length_cm, petal_width_cm: 0."));
    assert!(place.text("steps.svg").contains("1. petal_width_cm: 1.35 of 1.35"));
    assert_eq!(place.done("show m.json --as svg"), place.text("tree.svg"));
    let folded = place.done("show m.json --as svg --max-depth 1");
    assert!(folded.contains("8 leaves below"), "{folded}");
}

#[cfg(feature = "plot")]
#[test]
fn pictures_that_cannot_be() {
    let place = Place::after("fit iris.parquet --target species -o m.json");
    place.refuses_each(&[
        ("show m.json --as svg -o m.csv", 2, "m.csv"),
        ("show m.json --as html -o m.json", 2, "m.html"),
        ("show m.json --as svg -o m.png", 2, "other programs convert"),
        ("show m.json --as png -o m.svg", 2, "m.png"),
        ("show m.json -o m.jpg", 2, ".svg, .png"),
        ("show m.json -o m.parquet", 2, "--as rules"),
        ("rank iris.parquet --target species -o r.pdf", 2, "r.svg"),
        ("rank iris.parquet --target species -o r.jpg", 2, "as PNG"),
        ("fit iris.parquet --target species -o m.png", 2, "m.json"),
        ("report m.json iris.parquet -o r.png", 2, "r.html"),
        ("fit iris.parquet --target species -o m.svg", 2, "m.json"),
        ("report m.json iris.parquet -o r.pdf", 2, "r.html"),
        ("report m.json iris.parquet -o r.csv", 2, "r.html"),
        ("report m.json iris.parquet -o iris.parquet", 2, "iris.parquet"),
        ("report m.json weather.csv -o r.html", 1, "no such column"),
        ("rank loan.csv --target approved --by age -o r.svg", 2, "--by"),
        ("rank loan.csv --target approved --by age -o r.png", 2, "--by"),
        ("matrix loan.csv --redundant-above 0.5 -o r.png", 2, "--redundant-above"),
        ("rank iris.parquet --target species -o no/r.svg", 1, "no folder"),
        ("curve iris.parquet --target species --feature petal -o iris.parquet.svg", 1, "`petal`"),
    ]);
}

/// Where the machine has a font; else a run says so.
#[cfg(feature = "png")]
#[test]
fn a_picture_is_in_pixels_where_its_name_says_so() {
    let place = Place::after("fit iris.parquet --target species -o m.json");
    place.done("show m.json -o tree.svg");
    let wanting = place.run("show m.json -o tree.png");
    if wanting.code != Some(0) {
        assert!(wanting.err.contains("no font on this machine"), "{}", wanting.err);
        return;
    }
    let bytes = |name: &str| std::fs::read(place.path(name)).expect("a file");
    let of_svg = |svg: &str| gaintree::svg_to_png(svg, 2.0).expect("a PNG");
    for (words, name) in [
        ("show m.json --as png -o tree.png", "tree.png"),
        ("show m.json --as png -o tree.PNG --theme auto", "tree.PNG"),
        ("rank iris.parquet --target species -o x.png", "x.png"),
        ("curve iris.parquet --target species --feature petal_width_cm -o x.png", "x.png"),
        ("matrix iris.parquet -o x.png", "x.png"),
        ("select iris.parquet --target species -o x.png", "x.png"),
        ("screen iris.parquet --target species -o x.png", "x.png"),
        ("woe weather.csv --target play --features outlook --intervals 3 -o x.png", "x.png"),
        ("drift iris.parquet iris.parquet --features petal_width_cm -o x.png", "x.png"),
        ("fit iris.parquet --target species -o n.json --importance x.png", "x.png"),
    ] {
        assert_eq!(place.done(words), "", "{words}");
        let svg = match name {
            "x.png" => {
                place.done(&words.replace("x.png", "x.svg"));
                "x.svg"
            }
            _ => "tree.svg",
        };
        assert!(bytes(name) == of_svg(&place.text(svg)), "{words}");
    }
    place.done("show m.json -o dark.png --theme dark");
    assert!(bytes("dark.png") != bytes("tree.png"));
    let piped = place.command("show m.json --as png").output().expect("it starts");
    assert!(piped.stdout == bytes("tree.png"));
}

#[cfg(all(feature = "png", target_os = "linux"))]
#[test]
fn a_machine_without_a_font_writes_no_png() {
    let place = Place::after("fit iris.parquet --target species -o m.json");
    place.write("fonts.conf", "<fontconfig><dir>none</dir></fontconfig>");
    let before = place.names();
    let mut command = place.command("show m.json -o tree.png");
    let ran = Ran::of(command.env("FONTCONFIG_FILE", place.path("fonts.conf")));
    assert_eq!((ran.code, ran.err.lines().count()), (Some(1), 1), "{}", ran.err);
    assert!(ran.err.contains("no font on this machine"), "{}", ran.err);
    assert_eq!(place.names(), before);
}

/// The pictures that the documents show are what the commands in docs/pictures.md make.
#[cfg(feature = "plot")]
#[test]
fn the_pictures_of_the_documents_are_made_by_its_commands() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &Path| std::fs::read_to_string(path).expect("a text file");
    let documents = read(&root.join("README.md")) + &read(&root.join("docs/pictures.md"));
    let commands: Vec<&str> = documents
        .lines()
        .filter_map(|line| line.trim_start_matches("$ ").strip_prefix("gaintree "))
        .collect();
    let place = Place::new();
    for folder in ["examples/data", "docs/pictures"] {
        std::fs::create_dir_all(place.path(folder)).expect("a folder");
    }
    std::fs::copy(place.path("iris.parquet"), place.path("examples/data/iris.parquet"))
        .expect("copied");
    let fit = commands.iter().find(|words| words.ends_with("-o iris.tree.json"));
    place.done(fit.expect("a command that makes the model"));
    let shown = documents.split("](").skip(1).filter_map(|link| link.split(')').next());
    let shown = shown.map(|link| format!("docs/{}", link.trim_start_matches("docs/")));
    let shown: Vec<String> = shown.filter(|link| link.starts_with("docs/pictures/")).collect();
    assert_eq!(shown.len(), 2);
    for picture in &shown {
        let command = commands.iter().find(|words| words.ends_with(picture)).expect("a command");
        place.done(command);
        assert_eq!(place.text(picture), read(&root.join(picture)), "{command}");
    }
}

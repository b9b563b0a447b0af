//! Pictures in pixels.

use gaintree::{Theme, TreePicture, prelude::*, svg_on, svg_to_png};
use polars::prelude::*;

/// An SVG of this size with this in it.
fn svg_of(width: f64, height: f64, body: &str) -> String {
    let size = format!("width=\"{width}\" height=\"{height}\"");
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {size}>{body}</svg>")
}

#[test]
fn a_png_is_as_large_as_its_scale_makes_it() {
    for (width, height, scale, pixels) in
        [(20.0, 10.0, 1.0, [20, 10]), (21.0, 10.0, 1.5, [32, 15]), (300.0, 1.0, 0.01, [3, 1])]
    {
        let png = svg_to_png(&svg_of(width, height, ""), scale).expect("a PNG");
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
        let length = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("4 bytes"));
        assert_eq!([length(16), length(20)], pixels);
    }
}

#[test]
fn what_cannot_be_a_png_is_refused() {
    let svg = svg_of(20.0, 10.0, "");
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = svg_to_png(&svg, scale).expect_err("no scale");
        assert!(error.is_spec() && error.to_string().contains("above 0"), "{error}");
    }
    for (svg, scale) in [(&svg, 1e4), (&svg_of(1e9, 1.0, ""), 1.0)] {
        let error = svg_to_png(svg, scale).expect_err("too large").to_string();
        assert!(error.contains("at most 100 million"), "{error}");
    }
    for text in ["", "a text", "<html></html>", "<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\""]
    {
        let error = svg_to_png(text, 1.0).expect_err("no picture");
        assert!(error.is_spec() && error.to_string().contains("cannot draw this SVG"), "{error}");
    }
}

/// Where the machine has a font: text is drawn, the same every time, on the ground that is asked for.
#[test]
fn a_png_of_a_tree_has_its_text() {
    let df = df!["x" => [1, 2, 3, 4, 5, 6], "y" => ["p", "p", "q", "q", "é", "鳥"]];
    let tree = df.expect("a frame").fit_tree("y", &TreeSpec::cart()).expect("a tree").tree;
    let light = tree.to_svg(&TreePicture::default()).expect("a picture");
    let png = match svg_to_png(&light, 2.0) {
        Ok(png) => png,
        Err(e) => return assert!(e.is_io() && e.to_string().contains("no font on this machine")),
    };
    assert_eq!(svg_to_png(&light, 2.0).expect("a PNG"), png);
    assert_eq!(svg_to_png(&svg_on(&light, Theme::Auto), 2.0).expect("a PNG"), png);
    assert_ne!(svg_to_png(&svg_on(&light, Theme::Dark), 2.0).expect("a PNG"), png);
    let text = |family: &str| {
        let text = format!("<text y=\"9\" font-family=\"{family}\">word</text>");
        svg_to_png(&svg_of(30.0, 12.0, &text), 2.0).expect("a PNG")
    };
    assert_ne!(text("sans-serif"), svg_to_png(&svg_of(30.0, 12.0, ""), 2.0).expect("a PNG"));
    assert_eq!(text("sans-serif"), text("a family of no machine"));
}

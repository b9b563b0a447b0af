//! A picture in pixels.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, FaceInfo, Family, Source};
use resvg::usvg::{self, ImageHrefResolver, Options};

use crate::error::{Error, Result};

/// Pixels of the largest picture: drawing and encoding it takes 800 MB.
const MAX_PIXELS: f64 = 1e8;

/// What letters are drawn in where the machine lacks the font that it calls sans-serif.
const FAMILIES: [&str; 5] = ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica"];

/// A picture in pixels, the bytes of a PNG file: an SVG text that this library has made.
///
/// `scale` is the pixels of the PNG for one of the SVG; 2 suits slides and screens of high density.
/// Text is drawn in a font of the machine, its sans-serif one or else another: the same fonts give
/// the same bytes. [`Theme::Auto`](crate::Theme) becomes light, as a PNG has one ground.
///
/// # Errors
/// The text is no SVG, `scale` is not above 0, the PNG would have more than 100 million pixels, or
/// there is text and the machine has no font.
///
/// ```
/// let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>"#;
/// assert!(gaintree::svg_to_png(svg, 2.0)?.starts_with(b"\x89PNG"));
/// # Ok::<(), gaintree::Error>(())
/// ```
pub fn svg_to_png(svg: &str, scale: f64) -> Result<Vec<u8>> {
    if !(scale.is_finite() && scale > 0.0) {
        return Err(Error::spec(format!(
            "scale {scale}: expected a number above 0, the pixels of the PNG for one of the SVG; \
             take 2"
        )));
    }
    // Nothing but the text itself and fonts is read.
    let options = Options {
        fontdb: Arc::clone(&FONTS),
        font_family: "sans-serif".to_string(),
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let picture = usvg::Tree::from_str(svg, &options).map_err(|e| {
        Error::spec(format!("cannot draw this SVG: {e}; expected a picture that gaintree has made"))
            .caused_by(e)
    })?;
    let size = picture.size();
    let [width, height] =
        [size.width(), size.height()].map(|length| (f64::from(length) * scale).ceil());
    if width * height > MAX_PIXELS {
        return Err(Error::spec(format!(
            "a PNG of {width} x {height} pixels is too large: expected at most {} million; take a \
             smaller scale, or write the SVG",
            MAX_PIXELS / 1e6
        )));
    }
    if FONTS.is_empty() && svg.contains("<text") {
        return Err(Error::io(
            "there is no font on this machine to draw the text of a PNG with: install one, such as \
             DejaVu Sans (on Debian and Ubuntu: apt-get install fonts-dejavu-core), or write the SVG",
        ));
    }
    let no_room = || Error::spec(format!("no memory for a PNG of {width} x {height} pixels"));
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or_else(no_room)?;
    let scaled = Transform::from_scale(scale as f32, scale as f32);
    resvg::render(&picture, scaled, &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| Error::io(format!("cannot make the PNG: {e}")).caused_by(e))
}

/// The machine's fonts, looked for once in a process.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| Arc::new(machine_fonts()));

fn machine_fonts() -> Database {
    let mut found = Database::new();
    found.load_system_fonts();
    // Folders list their files in any order. A letter that the first font lacks is drawn in the
    // next font that has it, which should be the same every time.
    let mut faces: Vec<FaceInfo> = found.faces().cloned().collect();
    faces.sort_by(|a, b| place(a).cmp(&place(b)));
    let mut fonts = Database::new();
    if let Some(family) = sans_serif(&faces, found.family_name(&Family::SansSerif)) {
        fonts.set_sans_serif_family(&family);
        // What is drawn in where a family that is asked for is not there.
        fonts.set_serif_family(&family);
    }
    for face in faces {
        fonts.push_face_info(face);
    }
    fonts
}

/// The family of `faces` that letters are drawn in: the one of this name if it is there.
fn sans_serif(faces: &[FaceInfo], preferred: &str) -> Option<String> {
    let names = |face: &FaceInfo, name: &str| face.families.iter().any(|(other, _)| other == name);
    let there = |name: &&str| faces.iter().any(|face| names(face, name));
    let known = [preferred].into_iter().chain(FAMILIES).find(there).map(str::to_string);
    known.or_else(|| Some(faces.first()?.families.first()?.0.clone()))
}

fn place(face: &FaceInfo) -> (&str, Option<&Path>, u32) {
    let path = match &face.source {
        Source::File(path) | Source::SharedFile(path, _) => Some(path.as_path()),
        Source::Binary(_) => None,
    };
    (&face.post_script_name, path, face.index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use resvg::usvg::fontdb::{ID, Language, Stretch, Style, Weight};

    fn face(family: &str) -> FaceInfo {
        FaceInfo {
            id: ID::dummy(),
            source: Source::Binary(Arc::new(Vec::new())),
            index: 0,
            families: vec![(family.to_string(), Language::English_UnitedStates)],
            post_script_name: family.to_string(),
            style: Style::Normal,
            weight: Weight::NORMAL,
            stretch: Stretch::Normal,
            monospaced: false,
        }
    }

    #[test]
    fn letters_are_drawn_in_a_family_that_is_there() {
        let faces = ["Symbols", "Noto Sans", "DejaVu Sans"].map(face);
        assert_eq!(sans_serif(&faces, "Noto Sans").as_deref(), Some("Noto Sans"));
        assert_eq!(sans_serif(&faces, "Verdana").as_deref(), Some("DejaVu Sans"));
        assert_eq!(sans_serif(&faces[..1], "Verdana").as_deref(), Some("Symbols"));
        assert_eq!(sans_serif(&[], "Verdana"), None);
    }
}

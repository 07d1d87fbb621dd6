//! Writes both reports with synthetic data into a folder: `cargo run -p indistinct-report --example
//! sample_pages -- DIR`.

use std::path::PathBuf;

#[path = "../tests/sample/mod.rs"]
mod sample;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("which folder?")?);
    std::fs::create_dir_all(&folder)?;
    let (hospital, empty) = (sample::Sample::hospital(), sample::Sample::empty());
    std::fs::write(folder.join("release.html"), hospital.release_page())?;
    std::fs::write(folder.join("private.html"), hospital.private_page())?;
    let many = sample::Sample::many_principles();
    std::fs::write(folder.join("release-many-principles.html"), many.release_page())?;
    std::fs::write(folder.join("private-many-principles.html"), many.private_page())?;
    std::fs::write(folder.join("release-empty.html"), empty.release_page())?;
    std::fs::write(folder.join("private-empty.html"), empty.private_page())?;
    let separated = sample::Sample::separated();
    std::fs::write(folder.join("release-separated.html"), separated.release_page())?;
    Ok(())
}

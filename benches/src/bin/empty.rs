//! A program that does nothing: what every process costs at least.

const fn main() {}

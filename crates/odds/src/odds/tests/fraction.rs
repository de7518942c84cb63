//! Exact probabilities.

use num_rational::BigRational;

use moldloft_rules::formula::Weight;

#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub struct Fraction(pub BigRational);

impl Fraction {
    /// `1/36`, `2`
    pub fn read(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }
}

impl Weight for Fraction {
    fn zero() -> Self {
        Self::ratio(0, 1)
    }

    fn one() -> Self {
        Self::ratio(1, 1)
    }

    fn ratio(part: u32, of: u32) -> Self {
        Self(BigRational::new(part.into(), of.into()))
    }

    fn add(&mut self, other: &Self) {
        self.0 += &other.0;
    }

    fn times(&self, other: &Self) -> Self {
        Self(&self.0 * &other.0)
    }

    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }

    fn is_negligible(&self, _under: f64) -> bool {
        false
    }

    fn value(&self) -> f64 {
        // Eighteen digits after the point, and more where the number is small.
        let (above, below) = (self.0.numer(), self.0.denom());
        let mut scale = 0;
        let mut grown = above.clone();
        while grown.bits() < below.bits() + 64 && grown.bits() > 0 {
            grown *= 1_000_000_000_u64;
            scale += 9;
        }
        let digits = (grown / below).to_string();
        format!("{digits}e-{scale}").parse().unwrap()
    }
}

//! A table as people bring it: leaks, ids, twins and noise beside a few columns that tell of a rare
//! event.

use polars::prelude::*;

/// The target of [`messy`].
pub const EVENT: &str = "churn";

/// Numbers that are the same on every machine (Steele, Lea & Flood 2014, SplitMix64).
pub struct Draws(pub u64);

impl Draws {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 up to 1.
    pub fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.share() * n as f64) as usize
    }

    /// About normal: mean 0, variance 1.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.share()).sum::<f64>() - 6.0
    }

    pub fn order(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for last in (1..n).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }
}

const REGIONS: [&str; 8] = ["north", "south", "east", "west", "centre", "coast", "island", "hills"];

/// A table of 32 columns beside the target, which is `yes` in about 2 % of the rows; and the
/// verdict on each column, in order of the columns.
pub fn messy(n: usize, seed: u64) -> (DataFrame, Vec<(&'static str, &'static str)>) {
    let mut draw = Draws(seed);
    let age: Vec<i64> = (0..n).map(|_| 18 + draw.below(60) as i64).collect();
    let cents = |draw: &mut Draws| ((10.0 + 0.6 * draw.normal()).exp() * 100.0).round();
    let income: Vec<f64> = (0..n).map(|_| cents(&mut draw) / 100.0).collect();
    let region: Vec<usize> = (0..n).map(|_| draw.below(8)).collect();
    let tenure: Vec<i32> = (0..n).map(|_| draw.below(240) as i32).collect();
    let plan: Vec<&str> = (0..n).map(|_| ["basic", "plus", "pro"][draw.below(3)]).collect();
    let event: Vec<bool> = (0..n)
        .map(|row| {
            let of = |condition: bool, effect: f64| if condition { effect } else { 0.0 };
            let logit = -6.0
                + of(age[row] < 30, 1.6)
                + of(income[row] < 15_000.0, 1.2)
                + of(region[row] == 5, 1.2)
                + of(region[row] == 6, 1.6)
                + of(!(12..=225).contains(&tenure[row]), 1.5)
                + of(plan[row] == "basic", 0.9);
            draw.share() < 1.0 / (1.0 + (-logit).exp())
        })
        .collect();
    let order = draw.order(n);
    let mut each = |value: &mut dyn FnMut(&mut Draws, bool) -> f64| -> Vec<f64> {
        event.iter().map(|&event| value(&mut draw, event)).collect()
    };
    let refund = each(&mut |draw, _| (draw.share() * 5e4).round() / 100.0);
    let reason =
        each(&mut |draw, event| if event && draw.share() < 0.9 { draw.share() } else { 1.0 });
    let status = each(&mut |draw, event| {
        let code =
            if event { [3, 7][draw.below(2)] } else { [0, 1, 2, 4, 5, 6, 8, 9][draw.below(8)] };
        f64::from(code)
    });
    let chargebacks = each(&mut |draw, event| {
        if event && draw.share() < 0.6 { 1.0 + draw.below(3) as f64 } else { 0.0 }
    });
    let review = each(&mut |draw, event| f64::from(u8::from(event && draw.share() < 0.3)));
    let state = each(&mut |draw, event| if event { 2.0 } else { draw.below(2) as f64 });
    let score = each(&mut |draw, event| {
        let share = draw.share();
        if event { 0.9 + 0.1 * share } else { 0.85 * share }
    });
    let visits = each(&mut |draw, event| {
        let visits = draw.below(20);
        (if event { visits.max(draw.below(20)) } else { visits }) as f64
    });
    let news =
        each(&mut |draw, event| f64::from(u8::from(draw.share() < if event { 0.5 } else { 0.4 })));
    let noise = each(&mut |draw, _| draw.normal());
    let coin = each(&mut |draw, _| draw.below(2) as f64);
    let shop = each(&mut |draw, _| draw.below(1000) as f64);
    let weekday = each(&mut |draw, _| draw.below(7) as f64);
    let hash: Vec<u64> = (0..n).map(|_| draw.bits()).collect();
    let lost: Vec<bool> = (0..n).map(|_| draw.share() < 0.01).collect();
    let bools = |of: &[f64]| of.iter().map(|&x| x == 1.0).collect::<Vec<_>>();
    let ints = |of: &[f64]| of.iter().map(|&x| x as i32).collect::<Vec<_>>();
    let reasons =
        reason.iter().map(|&at| ["price", "service", "moved"].get((at * 3.0) as usize).copied());
    let ids = order.iter().zip(&lost).map(|(&at, &lost)| (!lost).then_some(500_000 + at as i32));
    let df = df![
        "customer_id" => order.iter().map(|at| format!("C{at:06}")).collect::<Vec<_>>(),
        "row_no" => (0..n as i64).collect::<Vec<_>>(),
        "order_no" => order.iter().rev().map(|&at| at as f64).collect::<Vec<_>>(),
        "hash" => &hash,
        "token" => hash.iter().map(|hash| format!("{:x}", hash >> 20)).collect::<Vec<_>>(),
        "ticket" => ids.collect::<Vec<_>>(),
        "refund" => refund.iter().zip(&event).map(|(&x, &of)| of.then_some(x)).collect::<Vec<_>>(),
        "closed_reason" => reasons.collect::<Vec<_>>(),
        "status_code" => ints(&status),
        "chargebacks" => ints(&chargebacks),
        "on_review" => bools(&review),
        "final_state" => state.iter().map(|&at| ["active", "new", "lost"][at as usize]).collect::<Vec<_>>(),
        "score_after" => &score,
        "country" => vec!["NO"; n],
        "fax" => vec![None::<f64>; n],
        "version" => vec![1; n],
        "age" => &age,
        "born" => age.iter().map(|age| 2025 - age).collect::<Vec<_>>(),
        "age_band" => age.iter().map(|age| age / 10).collect::<Vec<_>>(),
        "income" => &income,
        "log_income" => income.iter().map(|x| x.ln()).collect::<Vec<_>>(),
        "region" => region.iter().map(|&at| REGIONS[at]).collect::<Vec<_>>(),
        "region_code" => region.iter().map(|&at| &REGIONS[7 - at][..2]).collect::<Vec<_>>(),
        "tenure" => &tenure,
        "plan" => &plan,
        "visits" => ints(&visits),
        "newsletter" => bools(&news),
        "noise" => &noise,
        "coin" => bools(&coin),
        "shop" => shop.iter().map(|shop| format!("s{shop}")).collect::<Vec<_>>(),
        "weekday" => ints(&weekday),
        EVENT => event.iter().map(|&event| if event { "yes" } else { "no" }).collect::<Vec<_>>(),
    ];
    let mut df = df.expect("columns of one length");
    let token =
        df.column("token").and_then(|c| c.cast(&DataType::from_categories(Categories::global())));
    df.with_column(token.expect("a categorical")).expect("its length");
    let tags = Series::new("tags".into(), [Series::new("".into(), ["a"])]).new_from_index(0, n);
    df.with_column(tags.into_column()).expect("its length");
    let verdicts = [
        ("customer_id", "id"),
        ("row_no", "id"),
        ("order_no", "id"),
        ("hash", "id"),
        ("token", "id"),
        ("ticket", "id"),
        ("refund", "leak"),
        ("closed_reason", "leak"),
        ("status_code", "leak"),
        ("chargebacks", "leak"),
        ("on_review", "leak"),
        ("final_state", "leak"),
        ("score_after", "leak"),
        ("country", "constant"),
        ("fax", "constant"),
        ("version", "constant"),
        ("age", "useful"),
        ("born", "twin"),
        ("age_band", "twin"),
        ("income", "useful"),
        ("log_income", "twin"),
        ("region", "useful"),
        ("region_code", "twin"),
        ("tenure", "useful"),
        ("plan", "useful"),
        ("visits", "useful"),
        ("newsletter", "weak"),
        ("noise", "chance"),
        ("coin", "chance"),
        ("shop", "chance"),
        ("weekday", "chance"),
        ("tags", "unusable"),
    ];
    (df, verdicts.to_vec())
}

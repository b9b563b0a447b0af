//! C: the text of headers, functions and tables, with holes.

pub(super) const HEADER: &str = r#"
#ifndef $GUARD_H
#define $GUARD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

$WIDE// The columns of a row$KNOWN.
struct $NAME_row {
$FIELDS};

$FUNCTIONS
#ifdef __cplusplus
}
#endif

#endif
"#;

pub(super) const WIDE: &str = "\
#ifndef GAINTREE_INT128
#define GAINTREE_INT128
__extension__ typedef __int128 gaintree_int128;
__extension__ typedef unsigned __int128 gaintree_uint128;
#endif

";

pub(super) const NUMBER_FUNCTIONS: &str = "\
// The number that is predicted for a row.
double $NAME_predict(const struct $NAME_row *row);
";

pub(super) const CLASS_FUNCTIONS: &str = "\
enum { $NAME_n_classes = $N };
// The classes.
extern const $ELEMENT$NAME_classes[$N];
// The class that is predicted for a row.
$LABEL$NAME_predict(const struct $NAME_row *row);
// The probability of each class.
void $NAME_probabilities(const struct $NAME_row *row, double probabilities[$N]);
";

pub(super) const LEAF_FUNCTION: &str = "\
// The node that a row ends at.
uint32_t $NAME_leaf_id(const struct $NAME_row *row);
";

pub(super) const RANK: &str = "
// How many values, which ascend, are not above another.
static int32_t $RANK($TYPEx, const $ELEMENT*sorted, int32_t n)
{
    int32_t low = 0, high = n;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if ($ABOVE) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}
";

pub(super) const LEVEL: &str = "
// The place of a value among others, or $ABSENT.
static int32_t $LEVEL($TYPEx, const $ELEMENT*sorted, int32_t n)
{
    int32_t at = $RANK(x, sorted, n) - 1;
    return at >= 0 && $SAME ? at : $ABSENT;
}
";

pub(super) const CATEGORY: &str = "
// The place of a text in its order; $MISSING of another text, which is missing.
static int32_t category_of_text(
    const char *x, const char *const *sorted, const int32_t *order, int32_t n)
{
    int32_t at = level_of_text(x, sorted, n);
    return at >= 0 ? order[at] : $MISSING;
}
";

pub(super) const TESTS: &str = "
// Places are tests (0, 1, ...) or answers (-1, -2, ...). A test sends a missing value to
// `missing`, a key below `cut` to `low` and another one to `high`. Of a nominal column `cut`
// and `high` are the first and the number of its levels, and what is none goes to `low`.
struct test {
    int32_t field, missing, low, high;
    int64_t cut;
};

static const struct test tests[] = {
$TESTS};
static const int32_t roots[] = {
$ROOTS
};
";

pub(super) const LEVEL_TABLES: &str = "\
static const int32_t levels[] = {
$LEVELS
};
static const int32_t level_places[] = {
$PLACES
};
static const bool is_nominal[] = {
$NOMINAL
};
";

pub(super) const WALK: &str = "
// The answer to a row of keys.
static int32_t walk(int32_t at, const int64_t *keys, const bool *missing)
{
    while (at >= 0) {
        const struct test *test = &tests[at];
        int64_t key = keys[test->field];
        if (missing[test->field]) {
            at = test->missing;
$LEVELS        } else {
            at = key >= test->cut ? test->high : test->low;
        }
    }
    return -1 - at;
}
";

pub(super) const WALK_LEVELS: &str = "        } else if (is_nominal[test->field]) {
            int64_t low = test->cut, high = test->cut + test->high, end = high;
            while (low < high) {
                int64_t middle = low + (high - low) / 2;
                if (levels[middle] < key) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            at = low < end && levels[low] == key ? level_places[low] : test->low;
";

pub(super) const KEY_OF_DOUBLE: &str = "
// An integer that orders as a double does.
static int64_t key_of_double(double x)
{
    int64_t bits;
    x += 0.0;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? bits ^ INT64_MAX : bits;
}
";

pub(super) const KEYS: &str = "
static void read_keys(const struct $NAME_row *row, int64_t *keys, bool *missing)
{
$LINES}
";

pub(super) const TREE: &str = "
// $ABOUT to a row.
static int32_t $FUNCTION(const struct $NAME_row *row)
{
$LINES}
";

pub(super) const TREES: &str = "
static int32_t (*const trees[])(const struct $NAME_row *row) = {
$NAMES
};
";

pub(super) const READ_KEYS: &str = "    int64_t keys[$N];
    bool missing[$N];
    read_keys(row, keys, missing);
";

pub(super) const NUMBER_OF_TREE: &str = "
double $NAME_predict(const struct $NAME_row *row)
{
    return outcomes[outcome_of[answer_of(row)]];
}
";

pub(super) const CLASS_OF_TREE: &str = "
$LABEL$NAME_predict(const struct $NAME_row *row)
{
    return $NAME_classes[class_of[outcome_of[answer_of(row)]]];
}

void $NAME_probabilities(const struct $NAME_row *row, double probabilities[$N])
{
    const double *said = outcomes + (int64_t)outcome_of[answer_of(row)] * $N;
    memcpy(probabilities, said, $N * sizeof *said);
}
";

pub(super) const LEAF_OF_TREE: &str = "
uint32_t $NAME_leaf_id(const struct $NAME_row *row)
{
    return leaf_ids[answer_of(row)];
}
";

pub(super) const MEAN: &str = "
// The mean of what the trees say.
static void mean_of(const struct $NAME_row *row, double *mean)
{
$ASKS    for (int32_t i = 0; i < $N; i++) {
        mean[i] = 0.0;
    }
    for (int32_t tree = 0; tree < $TREES; tree++) {
        const double *said = outcomes + (int64_t)outcome_of[$ANSWER] * $N;
        for (int32_t i = 0; i < $N; i++) {
            mean[i] += said[i];
        }
    }
    for (int32_t i = 0; i < $N; i++) {
        mean[i] /= $TREES;
    }
}
";

pub(super) const NUMBER_OF_FOREST: &str = "
double $NAME_predict(const struct $NAME_row *row)
{
    double mean;
    mean_of(row, &mean);
    return mean;
}
";

pub(super) const CLASS_OF_FOREST: &str = "
$LABEL$NAME_predict(const struct $NAME_row *row)
{
    double mean[$N];
    mean_of(row, mean);
    int32_t best = 0;
    for (int32_t i = 1; i < $N; i++) {
        best = mean[i] > mean[best] ? i : best;
    }
    return $NAME_classes[best];
}

void $NAME_probabilities(const struct $NAME_row *row, double probabilities[$N])
{
    mean_of(row, probabilities);
}
";

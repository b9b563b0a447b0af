//! A model's answers as functions of DataFusion.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, RecordBatch, RecordBatchOptions, StructArray, new_empty_array,
};
use arrow::datatypes::{DataType, Field, Schema};
use datafusion::common::{DataFusionError, Result as DataFusionResult};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use gaintree::{Forest, Model, ModelVerbs, ScoreSpec, Tree};

use crate::error::{Error, Result};

/// Functions of a tree or a forest, for sessions that work in this process.
///
/// A function takes the features the model uses, in the order of its schema, as
/// [`udf_call`](ModelUdf::udf_call) writes them; or one struct that has them by name. Its answers
/// equal those of [`ModelVerbs::score_with`], in its dtypes. The executors of a cluster do not
/// have such a function: [`score_sql`](crate::score_sql) needs none.
pub trait ModelUdf {
    /// The model; a clone shares its data.
    fn model(&self) -> Model;

    /// The prediction.
    ///
    /// # Errors
    /// None today; a name is taken as it is.
    fn to_udf(&self, name: &str) -> Result<ScalarUDF> {
        ModelFunction::create(self.model(), name, ScoreSpec::default(), "prediction")
    }

    /// The probability of a class.
    ///
    /// # Errors
    /// A numeric target, or a class that the target does not have.
    fn to_probability_udf(&self, name: &str, class: &str) -> Result<ScalarUDF> {
        let model = self.model();
        let schema = model.schema();
        if model.is_regression() {
            return Err(Error::Request(format!(
                "the model's target `{}` is a number, which has no class probabilities: use to_udf",
                schema.target
            )));
        }
        let classes: Vec<String> =
            (0..schema.classes.len()).map(|i| schema.class_text(i)).collect();
        if !classes.iter().any(|known| known == class) {
            return Err(Error::Request(format!(
                "target `{}` has no class `{class}`; it has {}",
                schema.target,
                classes.iter().take(12).map(|c| format!("`{c}`")).collect::<Vec<_>>().join(", ")
            )));
        }
        let answer = format!("probability_{class}");
        ModelFunction::create(model, name, ScoreSpec::default().probability(true), &answer)
    }

    /// The id of a tree's leaf.
    ///
    /// # Errors
    /// A forest, as a row has a leaf in each tree.
    fn to_leaf_udf(&self, name: &str) -> Result<ScalarUDF> {
        ModelFunction::create(self.model(), name, ScoreSpec::default().leaf(true), "leaf_id")
    }

    /// The SQL that calls a function of the model: `name("a", "b")`.
    fn udf_call(&self, name: &str) -> String {
        let features = used_names(&self.model());
        let features: Vec<String> = features.iter().map(|name| quote_name(name)).collect();
        format!("{}({})", quote_name(name), features.join(", "))
    }
}

impl ModelUdf for Tree {
    fn model(&self) -> Model {
        Model::Tree(self.clone())
    }
}

impl ModelUdf for Forest {
    fn model(&self) -> Model {
        Model::Forest(self.clone())
    }
}

impl ModelUdf for Model {
    fn model(&self) -> Model {
        self.clone()
    }
}

/// A name in DataFusion's quotes, in which upper and lower case count.
pub fn quote_name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn used_names(model: &Model) -> Vec<String> {
    let features = &model.schema().features;
    model.used_features().iter().map(|&f| features[f as usize].name.clone()).collect()
}

/// One answer of a model as a function.
#[derive(Debug)]
struct ModelFunction {
    name: String,
    model: Model,
    /// The model file's text: by it functions are equal.
    json: String,
    features: Vec<String>,
    spec: ScoreSpec,
    /// The column of the scored batch that is the answer.
    answer: String,
    returns: DataType,
    signature: Signature,
}

impl ModelFunction {
    fn create(model: Model, name: &str, spec: ScoreSpec, answer: &str) -> Result<ScalarUDF> {
        let features = used_names(&model);
        let mut function = ModelFunction {
            name: name.to_string(),
            json: model.to_json(),
            model,
            spec: spec.keep(Vec::<String>::new()),
            answer: answer.to_string(),
            returns: DataType::Null,
            signature: Signature::user_defined(Volatility::Immutable),
            features,
        };
        // Columns of nulls fit every model, and no row is too few to be wrong.
        let nulls: Vec<ArrayRef> =
            function.features.iter().map(|_| new_empty_array(&DataType::Null)).collect();
        function.returns = function.score(nulls, 0)?.data_type().clone();
        Ok(ScalarUDF::new_from_impl(function))
    }

    /// The answers for columns of the features, in order.
    fn score(&self, columns: Vec<ArrayRef>, rows: usize) -> DataFusionResult<ArrayRef> {
        let fields: Vec<Field> = self
            .features
            .iter()
            .zip(&columns)
            .map(|(name, column)| Field::new(name, column.data_type().clone(), true))
            .collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new_with_options(schema, columns, &options)?;
        let scored = self.model.score_with(&batch, &self.spec);
        let scored = scored.map_err(|error| DataFusionError::External(Box::new(error)))?;
        let at = scored.schema().index_of(&self.answer)?;
        Ok(scored.column(at).clone())
    }

    /// The columns of a struct by name, or the arguments in order.
    fn columns(&self, arguments: Vec<ArrayRef>) -> DataFusionResult<Vec<ArrayRef>> {
        let as_struct = match arguments.as_slice() {
            [one] => one.as_any().downcast_ref::<StructArray>(),
            _ => None,
        };
        let Some(fields) = as_struct else { return Ok(arguments) };
        // A struct that is null is missing in all features.
        let (names, columns, nulls) = fields.clone().into_parts();
        let whole = StructArray::new(names, columns, None);
        let masked = |column: &ArrayRef| match &nulls {
            Some(nulls) => {
                let is_null = arrow::array::BooleanArray::new(!nulls.inner(), None);
                arrow::compute::nullif(column, &is_null)
            }
            None => Ok(column.clone()),
        };
        let column = |name: &String| match whole.column_by_name(name) {
            Some(column) => Ok(masked(column)?),
            None => Err(DataFusionError::Plan(self.wants(&format!("a struct without `{name}`")))),
        };
        self.features.iter().map(column).collect()
    }

    fn wants(&self, got: &str) -> String {
        let names: Vec<String> = self.features.iter().map(|name| format!("`{name}`")).collect();
        format!(
            "function {} takes the {} features of the model in this order, or one struct of them: \
             {}; it was called with {got}",
            self.name,
            names.len(),
            names.join(", ")
        )
    }
}

impl ScalarUDFImpl for ModelFunction {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, arguments: &[DataType]) -> DataFusionResult<Vec<DataType>> {
        match arguments {
            [DataType::Struct(fields)] => {
                match self.features.iter().find(|name| fields.find(name).is_none()) {
                    Some(name) => {
                        let got = format!("a struct without `{name}`");
                        Err(DataFusionError::Plan(self.wants(&got)))
                    }
                    None => Ok(arguments.to_vec()),
                }
            }
            _ if arguments.len() == self.features.len() => Ok(arguments.to_vec()),
            _ => {
                let got = format!("{} arguments", arguments.len());
                Err(DataFusionError::Plan(self.wants(&got)))
            }
        }
    }

    fn return_type(&self, _arguments: &[DataType]) -> DataFusionResult<DataType> {
        Ok(self.returns.clone())
    }

    fn invoke_with_args(&self, call: ScalarFunctionArgs) -> DataFusionResult<ColumnarValue> {
        let rows = call.number_rows;
        let arrays: DataFusionResult<Vec<ArrayRef>> =
            call.args.into_iter().map(|argument| argument.into_array(rows)).collect();
        Ok(ColumnarValue::Array(self.score(self.columns(arrays?)?, rows)?))
    }
}

impl PartialEq for ModelFunction {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.answer, &self.json) == (&other.name, &other.answer, &other.json)
    }
}

impl Eq for ModelFunction {}

impl Hash for ModelFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.name, &self.answer, &self.json).hash(state);
    }
}

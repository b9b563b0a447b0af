# A forest of ranger, fitted on one csv file, answers for another: `forest_one.py` says what the words are.
suppressMessages(library(ranger))
words <- commandArgs(trailingOnly = TRUE)
target <- words[4]
numbers <- as.integer(words[5:9])

train <- read.csv(words[1], check.names = FALSE)
test <- read.csv(words[2], check.names = FALSE)
for (name in names(train)) {
  if (is.character(train[[name]])) {
    levels <- sort(unique(c(train[[name]], test[[name]])))
    train[[name]] <- factor(train[[name]], levels)
    test[[name]] <- factor(test[[name]], levels)
  }
}
classes <- is.factor(train[[target]])
forest <- ranger(
  dependent.variable.name = target, data = train, probability = classes, oob.error = FALSE,
  num.trees = numbers[1], mtry = numbers[2], min.node.size = numbers[3], seed = numbers[4],
  num.threads = numbers[5], respect.unordered.factors = "order"
)
answers <- predict(forest, test, num.threads = numbers[5])$predictions
if (!classes) answers <- data.frame(answer = answers)
write.csv(answers, words[3], row.names = FALSE)

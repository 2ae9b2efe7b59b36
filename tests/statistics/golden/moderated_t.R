# Golden numbers of limma for the moderated t and the moderated F, in moderated_t.json.
#
# To make them again, with R, limma (r-bioc-limma on Debian) and jsonlite (r-cran-jsonlite):
#
#     Rscript tests/statistics/golden/moderated_t.R > tests/statistics/golden/moderated_t.json
#
# Values are rounded to four digits before the fit, so that the file holds exactly what was fitted.

suppressPackageStartupMessages({library(limma); library(jsonlite)})
set.seed(20240711)

simulate <- function(sizes, genes, prior = 4, shifted = 5) {
  group <- rep(seq_along(sizes) - 1, sizes)
  sd <- sqrt(prior / rchisq(genes, prior))
  x <- matrix(rnorm(genes * length(group)), genes) * sd + rnorm(genes, 7, 2)
  for (g in seq_len(shifted)) x[g, ] <- x[g, ] + g * 0.7 * group
  list(x = round(x, 4), group = group)
}

# Variances that differ less than by chance, so that the prior has infinite degrees of freedom.
same_variances <- function(data) {
  design <- model.matrix(~factor(data$group))
  sigma <- lmFit(data$x, design)$sigma
  data$x <- round(data$x / sigma * runif(length(sigma), 0.9, 1.1), 4)
  data
}

fitted <- function(data) {
  group <- factor(data$group)
  fit <- suppressWarnings(eBayes(lmFit(data$x, model.matrix(~group))))
  f <- suppressWarnings(eBayes(contrasts.fit(
    lmFit(data$x, model.matrix(~group)), diag(nlevels(group))[, -1, drop = FALSE])))
  c(data, list(
    t = unname(fit$t[, 2]), p = unname(fit$p.value[, 2]), F = f$F,
    df_total = rep_len(fit$df.total, nrow(data$x)),
    df_prior = fit$df.prior, s2_prior = fit$s2.prior, s2_post = unname(fit$s2.post)))
}

regressed <- function(data, y) {
  fit <- eBayes(lmFit(data$x, model.matrix(~y)))
  list(x = data$x, y = y, t = unname(fit$t[, 2]), p = unname(fit$p.value[, 2]),
       df_prior = fit$df.prior, s2_prior = fit$s2.prior)
}

few <- simulate(c(3, 3), 60)
more <- simulate(c(10, 12), 40)
equal <- same_variances(simulate(c(6, 6), 50))
zeros <- simulate(c(4, 4), 30); zeros$x[6:9, ] <- matrix(rep(1:4, 8), 4); zeros$x[9, 5:8] <- 6
constant <- simulate(c(5, 5), 30); constant$x[12, ] <- 3.25
missing <- simulate(c(5, 4), 30); missing$x[cbind(c(1, 1, 8, 8, 9), c(1, 2, 6, 9, 3))] <- NA
single <- simulate(c(4, 5), 1, shifted = 1)
three <- simulate(c(4, 5, 6), 40)

cat(toJSON(list(
  three_against_three = fitted(few), ten_against_twelve = fitted(more),
  homoscedastic = fitted(equal), zero_variances = fitted(zeros),
  one_constant = fitted(constant), missing_values = fitted(missing),
  one_feature = fitted(single), three_classes = fitted(three),
  regression = regressed(simulate(c(5, 6), 30), round(rnorm(11), 4))
), digits = I(17), na = "string", auto_unbox = TRUE))

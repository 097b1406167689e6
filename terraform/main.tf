# Everything that manifest.json says: functions with their roles and logs, schedules, alarms and the HTTP API.

terraform {
  required_version = ">= 1.6"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 6.19"
    }
  }
}

data "aws_partition" "current" {}
data "aws_region" "current" {}
data "aws_caller_identity" "current" {}

locals {
  prefix = "${var.service}-${var.stage}-"
  # A text of the manifest with its placeholders replaced is made of parts: {name} becomes the value of name.
  values = {
    partition    = data.aws_partition.current.partition
    region       = data.aws_region.current.id
    account      = data.aws_caller_identity.current.account_id
    urlSuffix    = data.aws_partition.current.dns_suffix
    service      = var.service
    stage        = var.stage
    secretPrefix = coalesce(var.secret_prefix, "mdm-stream/${var.stage}/")
    secretTtlMs  = tostring(var.secret_ttl_ms)
    kmsKeyArn    = coalesce(var.kms_key_arn, "none")
    consumerRate = var.consumer_rate
    checkRate    = coalesce(var.check_rate, "none")
    consumers    = tostring(var.consumers)
    monitoring   = var.monitoring
    logLevel     = var.log_level
    operations   = join(",", local.operations)
    letters      = coalesce(var.dead_letter_topic_arn, "none")
  }
  raw    = file("${var.assets}/manifest.json")
  step_1 = replace(replace(replace(local.raw, "{partition}", local.values.partition), "{region}", local.values.region), "{account}", local.values.account)
  step_2 = replace(replace(replace(local.step_1, "{urlSuffix}", local.values.urlSuffix), "{service}", local.values.service), "{stage}", local.values.stage)
  step_3 = replace(replace(replace(local.step_2, "{secretPrefix}", local.values.secretPrefix), "{secretTtlMs}", local.values.secretTtlMs), "{kmsKeyArn}", local.values.kmsKeyArn)
  step_4 = replace(replace(replace(local.step_3, "{consumerRate}", local.values.consumerRate), "{checkRate}", local.values.checkRate), "{consumers}", local.values.consumers)
  step_5 = replace(replace(replace(local.step_4, "{monitoring}", local.values.monitoring), "{logLevel}", local.values.logLevel), "{operations}", local.values.operations)
  step_6 = replace(local.step_5, "{deadLetterTopicArn}", local.values.letters)

  manifest = jsondecode(local.step_6)
  functions = {
    for one in local.manifest.functions : one.name => one
    if contains(local.deployed, one.name) && (var.http_api || !one.isDocument)
  }

  # The parameters without which a need has no rights, and some variables do not exist.
  given = {
    kmsKeyArn          = var.kms_key_arn != null
    redisIamArns       = length(var.redis_iam_arns) > 0
    vpcSubnetIds       = var.subnet_ids != null
    tracing            = var.tracing
    deadLetterTopicArn = var.dead_letter_topic_arn != null
    otelLayerArn       = var.otel_layer_arn != null
  }
  texts = {
    deadLetterTopicArn = coalesce(var.dead_letter_topic_arn, "none")
    otelLayerArn       = coalesce(var.otel_layer_arn, "none")
  }
  variables = [
    for one in local.manifest.environment : { (one.name) = one.value }
    if try(local.given[one.when] && strcontains(local.texts[one.when], try(one.contains, "")), !can(one.when)) && try(contains(keys(local.functions), one.beside), true)
  ]
  layers = flatten([
    for text in local.manifest.layers :
    text == "{otelLayerArn}" ? compact([var.otel_layer_arn]) : text == "{layers}" ? var.layers : []
  ])
  # The parameters that size functions.
  sizes = {
    consumerMemory              = var.consumer_memory
    consumerReservedConcurrency = var.consumer_reserved_concurrency
    apiReservedConcurrency      = var.api_reserved_concurrency
  }
  lists = {
    consumerTargets = coalesce(var.consumer_targets, ["${local.prefix}target-*"])
    redisIamArns    = var.redis_iam_arns
  }
  needed = {
    for name, need in local.manifest.needs : name => need.statements
    if try(local.given[need.when], !can(need.when)) && try(contains(keys(local.functions), need.beside), true)
  }
  statements = {
    for name, one in local.functions : name => [
      for statement in flatten([for need in one.needs : try(local.needed[need], [])]) : {
        for key, value in {
          Effect = statement.Effect
          Action = statement.Action
          Resource = flatten([
            for text in flatten([statement.Resource]) : (
              strcontains(text, "{consumerTargets}") ? tolist([
                for item in local.lists.consumerTargets :
                startswith(item, "arn:") ? "${item}${split("{consumerTargets}", text)[1]}" : replace(text, "{consumerTargets}", item)
              ]) :
              strcontains(text, "{redisIamArns}") ? tolist(local.lists.redisIamArns) :
              tolist([replace(text, "{function}", name)])
            )
          ])
          Condition = try(jsondecode(replace(jsonencode(statement.Condition), "{function}", name)), null)
        } : key => value if value != null
      }
    ]
  }
}

resource "aws_cloudwatch_log_group" "function" {
  for_each          = local.functions
  name              = "/aws/lambda/${local.prefix}${each.key}"
  retention_in_days = each.value.isAudited ? max(var.log_retention_in_days, var.audit_retention_in_days) : var.log_retention_in_days
  skip_destroy      = var.keep_logs
  kms_key_id        = var.log_kms_key_arn
}

resource "aws_iam_role" "function" {
  for_each             = local.functions
  name_prefix          = substr("${local.prefix}${each.key}", 0, 38)
  description          = "What ${each.key} may do"
  permissions_boundary = var.permissions_boundary
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = { Service = "lambda.amazonaws.com" }, Action = "sts:AssumeRole" }]
  })
}

resource "aws_iam_role_policy" "function" {
  for_each = local.functions
  name     = "needs"
  role     = aws_iam_role.function[each.key].id
  policy   = jsonencode({ Version = "2012-10-17", Statement = local.statements[each.key] })
}

resource "aws_lambda_function" "function" {
  for_each         = local.functions
  function_name    = "${local.prefix}${each.key}"
  description      = each.value.description
  filename         = "${var.assets}/${each.value.zip}"
  source_code_hash = each.value.sha256
  handler          = each.value.handler
  runtime          = local.manifest.runtime
  architectures    = [local.manifest.architecture]
  timeout          = each.value.seconds
  memory_size      = try(local.sizes[each.value.memoryFrom], each.value.memory)
  layers           = local.layers
  role             = aws_iam_role.function[each.key].arn
  depends_on       = [aws_cloudwatch_log_group.function, aws_iam_role_policy.function]

  reserved_concurrent_executions = try(coalesce(local.sizes[each.value.reservedFrom]), -1)

  environment {
    variables = merge(flatten([local.variables, each.value.environment, var.environment])...)
  }

  tracing_config {
    mode = var.tracing ? "Active" : "PassThrough"
  }

  dynamic "vpc_config" {
    for_each = var.subnet_ids != null && contains(each.value.needs, "network") ? [true] : []
    content {
      subnet_ids         = var.subnet_ids
      security_group_ids = var.security_group_ids
    }
  }
}

resource "aws_lambda_function_event_invoke_config" "function" {
  for_each                     = local.functions
  function_name                = aws_lambda_function.function[each.key].function_name
  maximum_retry_attempts       = each.value.retries
  maximum_event_age_in_seconds = each.value.maxAgeSeconds
}

resource "aws_lambda_function_recursion_config" "function" {
  for_each       = { for name, one in local.functions : name => one if one.isRecursive }
  function_name  = aws_lambda_function.function[each.key].function_name
  recursive_loop = "Allow"
}

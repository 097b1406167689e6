# Schedules of the consumer and of the checks, and the queue of what they could not start.

locals {
  schedules = merge([
    for schedule in local.manifest.schedules : {
      for pair in setproduct(var.config_refs, range(tonumber(schedule.copies))) :
      "${schedule.function}-${pair[0]}-${pair[1] + 1}" => merge(schedule, { configRef = pair[0] })
    } if contains(keys(local.functions), schedule.function) && (try(schedule.when, null) == null || var.check_rate != null)
  ]...)
  # Without a schedule there is nothing for the others: IAM refuses a role's policy that names no function.
  has_schedules = length(local.schedules) > 0
}

resource "aws_scheduler_schedule_group" "schedules" {
  count = local.has_schedules ? 1 : 0
  name  = "${var.service}-${var.stage}"
}

resource "aws_sqs_queue" "dead_letters" {
  count                     = local.has_schedules ? 1 : 0
  name                      = "${local.prefix}schedules-dead-letters"
  message_retention_seconds = 1209600
  sqs_managed_sse_enabled   = true
}

resource "aws_sqs_queue_policy" "dead_letters" {
  count     = local.has_schedules ? 1 : 0
  queue_url = aws_sqs_queue.dead_letters[0].url
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Deny"
      Principal = "*"
      Action    = "sqs:*"
      Resource  = aws_sqs_queue.dead_letters[0].arn
      Condition = { Bool = { "aws:SecureTransport" = "false" } }
    }]
  })
}

resource "aws_iam_role" "schedules" {
  count                = local.has_schedules ? 1 : 0
  name_prefix          = substr("${local.prefix}schedules", 0, 38)
  description          = "What the schedules may do"
  permissions_boundary = var.permissions_boundary
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "scheduler.amazonaws.com" }
      Action    = "sts:AssumeRole"
      Condition = {
        StringEquals = { "aws:SourceAccount" = data.aws_caller_identity.current.account_id }
        ArnEquals    = { "aws:SourceArn" = aws_scheduler_schedule_group.schedules[0].arn }
      }
    }]
  })
}

resource "aws_iam_role_policy" "schedules" {
  count = local.has_schedules ? 1 : 0
  name  = "schedules"
  role  = aws_iam_role.schedules[0].id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect   = "Allow"
        Action   = "lambda:InvokeFunction"
        Resource = [for name in distinct([for schedule in local.schedules : schedule.function]) : aws_lambda_function.function[name].arn]
      },
      { Effect = "Allow", Action = "sqs:SendMessage", Resource = aws_sqs_queue.dead_letters[0].arn }
    ]
  })
}

resource "aws_scheduler_schedule" "schedules" {
  for_each            = local.schedules
  name                = each.key
  group_name          = aws_scheduler_schedule_group.schedules[0].name
  schedule_expression = each.value.rate

  flexible_time_window {
    mode = "OFF"
  }

  target {
    arn      = aws_lambda_function.function[each.value.function].arn
    role_arn = aws_iam_role.schedules[0].arn
    input    = replace(jsonencode(each.value.input), "{configRef}", each.value.configRef)

    retry_policy {
      maximum_retry_attempts       = each.value.retries
      maximum_event_age_in_seconds = each.value.maxAgeSeconds
    }

    dead_letter_config {
      arn = aws_sqs_queue.dead_letters[0].arn
    }
  }
}

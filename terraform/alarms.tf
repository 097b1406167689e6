# The alarms of the manifest that are for this deployment.

locals {
  alarm_values = {
    HttpApi = var.http_api ? aws_apigatewayv2_api.api[0].id : "none"
    Queue   = local.has_schedules ? aws_sqs_queue.dead_letters[0].name : "none"
  }
  situation = {
    monitoring   = var.monitoring
    configRefs   = length(var.config_refs) > 1 ? "several" : "one"
    consumerRate = var.consumer_rate
    checkRate    = coalesce(var.check_rate, "none")
  }
  alarms = merge([
    for alarm in local.manifest.alarms : {
      for config_ref in(strcontains(jsonencode(alarm.properties), "{configRef}") ? var.config_refs : [""]) :
      join("-", compact([alarm.name, config_ref])) => jsondecode(replace(jsonencode(alarm.properties), "{configRef}", config_ref))
    }
    if var.monitoring != "off"
    && (var.http_api || !strcontains(jsonencode(alarm.properties), "{HttpApi}"))
    && (local.has_schedules || !strcontains(jsonencode(alarm.properties), "{Queue}"))
    && try(length(setintersection(keys(local.functions), alarm.beside)) > 0, true)
    && alltrue([for parameter, values in try(alarm.only, {}) : contains(values, local.situation[parameter])])
  ]...)
  queue_url = local.has_schedules ? aws_sqs_queue.dead_letters[0].url : ""
  # How a description finds the queue of a CloudFormation stack.
  queue_by_export = "/\"\\$\\(aws cloudformation .*\\)\"/"
  # How long alarms look back depends on the rates, and the manifest has them for the usual ones.
  alarm_rates = {
    for parameter in ["consumerRate", "checkRate"] :
    parameter => distinct(flatten([for alarm in local.manifest.alarms : try(alarm.only[parameter], [])]))
  }
}

check "consumer_rate" {
  assert {
    condition     = var.monitoring == "off" || contains(local.alarm_rates.consumerRate, local.situation.consumerRate)
    error_message = "No alarm watches what runs at this consumer_rate. Choose one of ${join(", ", local.alarm_rates.consumerRate)}, or add yours."
  }
}

check "check_rate" {
  assert {
    condition     = var.monitoring == "off" || var.check_rate == null || contains(local.alarm_rates.checkRate, local.situation.checkRate)
    error_message = "No alarm watches what runs at this check_rate. Choose one of ${join(", ", local.alarm_rates.checkRate)}, or add yours."
  }
}

resource "aws_cloudwatch_metric_alarm" "alarm" {
  for_each            = local.alarms
  alarm_name          = "${local.prefix}${each.key}"
  alarm_description   = replace(each.value.AlarmDescription, local.queue_by_export, local.queue_url)
  comparison_operator = each.value.ComparisonOperator
  threshold           = each.value.Threshold
  evaluation_periods  = each.value.EvaluationPeriods
  datapoints_to_alarm = each.value.DatapointsToAlarm
  treat_missing_data  = each.value.TreatMissingData
  alarm_actions       = var.alarm_topic_arn == null ? [] : [var.alarm_topic_arn]
  ok_actions          = var.alarm_topic_arn == null ? [] : [var.alarm_topic_arn]

  dynamic "metric_query" {
    for_each = each.value.Metrics
    content {
      id          = metric_query.value.Id
      expression  = try(metric_query.value.Expression, null)
      return_data = metric_query.value.ReturnData

      dynamic "metric" {
        for_each = try([metric_query.value.MetricStat], [])
        content {
          namespace   = metric.value.Metric.Namespace
          metric_name = metric.value.Metric.MetricName
          period      = metric.value.Period
          stat        = metric.value.Stat
          dimensions = {
            for dimension in metric.value.Metric.Dimensions : dimension.Name =>
            replace(replace(dimension.Value, "{HttpApi}", local.alarm_values.HttpApi), "{Queue}", local.alarm_values.Queue)
          }
        }
      }
    }
  }
}

# The alarms of the manifest.

locals {
  alarm_values = {
    HttpApi = var.http_api ? aws_apigatewayv2_api.api[0].id : "none"
    Queue   = aws_sqs_queue.dead_letters.name
  }
  alarms = {
    for alarm in local.manifest.alarms : alarm.name => alarm.properties
    if var.monitoring != "off"
    && (var.http_api || !strcontains(jsonencode(alarm.properties), "{HttpApi}"))
    && (contains(keys(local.functions), "stream-consumer") || !startswith(alarm.name, "Consumer"))
  }
}

resource "aws_cloudwatch_metric_alarm" "alarm" {
  for_each            = local.alarms
  alarm_name          = "${local.prefix}${each.key}"
  alarm_description   = each.value.AlarmDescription
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

# The HTTP API: a route for each of the manifest, an integration for each function that has any.

locals {
  routed = { for name, one in local.functions : name => one if var.http_api && length(one.routes) > 0 }
  routes = merge([
    for name, one in local.routed : {
      for route in one.routes : route => {
        function = name
        isOpen   = one.isDocument && var.public_docs && !endswith(route, " /{proxy+}")
      }
    }
  ]...)
}

resource "aws_apigatewayv2_api" "api" {
  count         = var.http_api ? 1 : 0
  name          = "${var.service}-${var.stage}"
  protocol_type = "HTTP"
}

resource "aws_cloudwatch_log_group" "api" {
  count             = var.http_api ? 1 : 0
  name              = "/aws/http-api/${var.service}-${var.stage}"
  retention_in_days = var.log_retention_in_days
  skip_destroy      = var.keep_logs
  kms_key_id        = var.log_kms_key_arn
}

resource "aws_apigatewayv2_stage" "api" {
  count       = var.http_api ? 1 : 0
  api_id      = aws_apigatewayv2_api.api[0].id
  name        = "$default"
  auto_deploy = true

  access_log_settings {
    destination_arn = aws_cloudwatch_log_group.api[0].arn
    format          = local.manifest.accessLog
  }

  default_route_settings {
    throttling_rate_limit  = var.throttle_rate
    throttling_burst_limit = var.throttle_burst
  }
}

resource "aws_apigatewayv2_integration" "function" {
  for_each               = local.routed
  api_id                 = aws_apigatewayv2_api.api[0].id
  integration_type       = "AWS_PROXY"
  integration_uri        = aws_lambda_function.function[each.key].arn
  payload_format_version = "2.0"
}

resource "aws_apigatewayv2_route" "function" {
  for_each           = local.routes
  api_id             = aws_apigatewayv2_api.api[0].id
  route_key          = each.key
  target             = "integrations/${aws_apigatewayv2_integration.function[each.value.function].id}"
  authorization_type = each.value.isOpen ? "NONE" : "AWS_IAM"
}

resource "aws_lambda_permission" "api" {
  for_each      = local.routed
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.function[each.key].function_name
  principal     = "apigateway.amazonaws.com"
  source_arn    = "${aws_apigatewayv2_api.api[0].execution_arn}/*"
}

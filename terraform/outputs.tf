output "api_url" {
  description = "Address of the HTTP API"
  value       = one(aws_apigatewayv2_api.api[*].api_endpoint)
}

output "function_arns" {
  description = "ARN of each function, by its name"
  value       = { for name, one in aws_lambda_function.function : name => one.arn }

  precondition {
    condition     = length(local.parameter_faults) == 0
    error_message = "The variables are invalid:\n- ${join("\n- ", local.parameter_faults)}"
  }

  precondition {
    condition     = (var.subnet_ids == null) == (length(var.security_group_ids) == 0)
    error_message = "subnet_ids and security_group_ids are given together or not at all."
  }
}

output "dead_letter_queue_url" {
  description = "Scheduled invocations that failed for good; null without a schedule"
  value       = one(aws_sqs_queue.dead_letters[*].url)
}

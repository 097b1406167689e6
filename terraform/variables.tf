# The parameters of a deployment. Those of docs/deploy.md have the same meanings and defaults.

variable "stage" {
  description = "Name of the deployment, such as prod"
  type        = string
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,19}$", var.stage))
    error_message = "stage is 1 to 20 of a-z, 0-9 and -, a letter first."
  }
}

variable "assets" {
  description = "Folder with manifest.json and the zips"
  type        = string
}

variable "service" {
  description = "First part of all names"
  type        = string
  default     = "mdm-stream"
}

variable "operations" {
  description = "Operations to deploy: names, in which * stands for any characters, or core for the twelve that most deployments need; all of the manifest by default"
  type        = list(string)
  default     = null
}

variable "secret_prefix" {
  description = "Prefix of the names of the configuration secrets; mdm-stream/<stage>/ by default"
  type        = string
  default     = null
}

variable "secret_ttl_ms" {
  description = "How long a function keeps a secret, in milliseconds"
  type        = number
  default     = 300000
}

variable "kms_key_arn" {
  description = "Key that encrypts the secrets, if it is not the AWS managed one"
  type        = string
  default     = null
}

variable "subnet_ids" {
  description = "Subnets of the functions that connect to Redis"
  type        = list(string)
  default     = null
}

variable "security_group_ids" {
  description = "Security groups of those functions"
  type        = list(string)
  default     = []
}

variable "redis_iam_arns" {
  description = "ElastiCache caches that functions may connect to, and users that they may connect as"
  type        = list(string)
  default     = []
}

variable "consumer_targets" {
  description = "Names or ARNs of functions that the consumer may invoke; <service>-<stage>-target-* by default"
  type        = list(string)
  default     = null
}

variable "config_refs" {
  description = "Configurations to schedule the consumer and the checks for"
  type        = list(string)
  default     = ["default"]
}

variable "consumers" {
  description = "Number of parallel schedules of the consumer, for each configuration"
  type        = number
  default     = 1
}

variable "consumer_rate" {
  description = "How often each schedule invokes the consumer"
  type        = string
  default     = "rate(1 minute)"
}

variable "consumer_memory" {
  description = "Memory of the consumer in MB, and with it its share of a core"
  type        = number
  default     = 512
}

variable "consumer_reserved_concurrency" {
  description = "Concurrent runs of the consumer; 0 stops it at once, and by default none is reserved"
  type        = number
  default     = null
}

variable "api_reserved_concurrency" {
  description = "Concurrent calls of each operation that has a route; by default none is reserved"
  type        = number
  default     = null
}

variable "check_rate" {
  description = "How often to check each configuration; never by default"
  type        = string
  default     = null
}

variable "http_api" {
  description = "Whether there is an HTTP API, whose callers sign their requests"
  type        = bool
  default     = true
}

variable "public_docs" {
  description = "Whether /, /docs and /openapi.json are open without sign-in"
  type        = bool
  default     = false
}

variable "throttle_rate" {
  description = "Requests per second that the HTTP API admits"
  type        = number
  default     = 100
}

variable "throttle_burst" {
  description = "Concurrent requests that the HTTP API admits"
  type        = number
  default     = 200
}

variable "monitoring" {
  description = "off, basic or full"
  type        = string
  default     = "full"
}

variable "alarm_topic_arn" {
  description = "SNS topic for alarms"
  type        = string
  default     = null
}

variable "dead_letter_topic_arn" {
  description = "SNS topic or event bus that is told of new dead letters"
  type        = string
  default     = null
}

variable "log_level" {
  description = "Minimum level of log lines"
  type        = string
  default     = "info"
}

variable "log_retention_in_days" {
  description = "Days to keep logs"
  type        = number
  default     = 30
}

variable "audit_retention_in_days" {
  description = "Days to keep the logs of functions that change something, which hold the audit trail"
  type        = number
  default     = 400
}

variable "keep_logs" {
  description = "Whether log groups stay when the deployment is destroyed"
  type        = bool
  default     = true
}

variable "log_kms_key_arn" {
  description = "Key that encrypts all logs; its policy must allow CloudWatch Logs to use it"
  type        = string
  default     = null
}

variable "tracing" {
  description = "X-Ray traces of every function"
  type        = bool
  default     = false
}

variable "otel_layer_arn" {
  description = "OpenTelemetry layer of every function, whose wrapper starts it; roles may then write X-Ray traces"
  type        = string
  default     = null
}

variable "layers" {
  description = "ARNs of further layers of every function, after the one of OpenTelemetry"
  type        = list(string)
  default     = []
}

variable "environment" {
  description = "Further variables of every function"
  type        = map(string)
  default     = {}
}

variable "permissions_boundary" {
  description = "ARN of the policy that limits every role"
  type        = string
  default     = null
}

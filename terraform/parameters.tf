# The operations to deploy, and parameters with a value that the manifest does not allow: a text of another form, or a
# number out of bounds.

locals {
  # core stands for several names, and * for any characters.
  operations = distinct(flatten([
    for name in coalesce(var.operations, ["*"]) : name == "core" ? tolist(jsondecode(local.raw).core) : [name]
  ]))
  matching = {
    for name in local.operations : name => [
      for one in local.manifest.functions : one.name if can(regex("^${replace(name, "*", ".*")}$", one.name))
    ]
  }
  deployed = distinct(flatten(values(local.matching)))

  checked = {
    secretPrefix                = var.secret_prefix
    secretTtlMs                 = var.secret_ttl_ms
    kmsKeyArn                   = var.kms_key_arn
    permissionsBoundary         = var.permissions_boundary
    redisIamArns                = var.redis_iam_arns
    consumers                   = var.consumers
    consumerReservedConcurrency = var.consumer_reserved_concurrency
    apiReservedConcurrency      = var.api_reserved_concurrency
    consumerMemory              = var.consumer_memory
    consumerRate                = var.consumer_rate
    checkRate                   = var.check_rate
    configRefs                  = var.config_refs
    consumerTargets             = var.consumer_targets
    operations                  = var.operations
    alarmTopicArn               = var.alarm_topic_arn
    deadLetterTopicArn          = var.dead_letter_topic_arn
    logRetentionInDays          = var.log_retention_in_days
    auditRetentionInDays        = var.audit_retention_in_days
    logKmsKeyArn                = var.log_kms_key_arn
    monitoring                  = var.monitoring
    logLevel                    = var.log_level
    otelLayerArn                = var.otel_layer_arn
    layers                      = var.layers
    throttleRate                = var.throttle_rate
    throttleBurst               = var.throttle_burst
  }
  given_texts = { for name, value in local.checked : name => [for one in flatten([value]) : tostring(one)] if value != null }
  # Of the manifest as it was written: a wrong value could break the one that has the values in it.
  wrong_parameters = [
    for one in jsondecode(local.raw).parameters : one
    if try(
      length(local.given_texts[one.name]) == 0 && can(one.default) ||
      anytrue([for text in local.given_texts[one.name] : try(
        tonumber(text) < one.minimum || tonumber(text) > one.maximum || floor(tonumber(text)) != tonumber(text),
        can(one.pattern) && !can(regex(one.pattern, text))
      )]),
      false
    )
  ]
  parameter_faults = concat(
    [for one in local.wrong_parameters : "${lower(replace(one.name, "/([A-Z])/", "_$1"))} must be ${one.allowed}"],
    [
      for name, names in local.matching : "operations: ${name} is the name of no function of the manifest"
      if length(names) == 0
    ]
  )
}

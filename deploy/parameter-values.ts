/** A comma list, or a list of the parameters file, whose items all match, without duplicates. */
export function readList(value: string, item: RegExp, most = 100): readonly string[] | undefined {
  const items = value.split(',').map((part) => part.trim());
  const isAllowed =
    items.length <= most && new Set(items).size === items.length && items.every((one) => item.test(one));
  return isAllowed ? items : undefined;
}

const SWITCH: Record<string, boolean> = { on: true, true: true, off: false, false: false };

/** `on` or `off`; also YAML's true and false. */
export function readSwitch(value: string): boolean | undefined {
  return Object.hasOwn(SWITCH, value) ? SWITCH[value] : undefined;
}

/** A value of the command line or a file as text; undefined for null, objects and empty values. */
export function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isText ? String(value).trim() || undefined : undefined;
}

export const REGION_ALLOWED = 'the name of an AWS region, such as eu-central-1';
export const isRegion = (value: string) => /^[a-z]{2,4}(-[a-z]+)+-\d$/.test(value);

const RATE = /^(rate\((1 (minute|hour|day)|([2-9]|[1-9]\d{1,3}) (minutes|hours|days))\)|cron\([^()]{11,100}\))$/;
export const RATE_ALLOWED = 'rate(1 minute), rate(5 minutes), … or cron(…)';

/** A rate of EventBridge Scheduler. */
export function readRate(value: string): string | undefined {
  return RATE.test(value) ? value : undefined;
}

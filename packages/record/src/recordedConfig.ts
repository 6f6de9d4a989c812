/** The configuration of a run as recorded in its files. */
export type RecordedConfig = Readonly<Record<string, unknown>>;

/** The field of `servelens_config` with the definitions of servers that the user added to the built-in ones. */
export const DEFINITIONS_FIELD = 'server_definitions';

/** Adds the definitions of servers to a configuration. Without definitions, the configuration does not have the field. */
export function recordDefinitions(
  config: RecordedConfig | undefined,
  definitions: readonly unknown[],
): RecordedConfig | undefined {
  if (definitions.length === 0) return omitDefinitions(config);
  return { ...config, [DEFINITIONS_FIELD]: definitions };
}

/** Removes the definitions of servers from a configuration; the other fields are options. */
export function omitDefinitions(config: RecordedConfig | undefined): RecordedConfig | undefined {
  if (!config || !Object.hasOwn(config, DEFINITIONS_FIELD)) return config;
  const { [DEFINITIONS_FIELD]: _, ...options } = config;
  return options;
}

/** Returns the definitions that a configuration contains, without validation. */
export function getDefinitions(config: RecordedConfig | undefined): readonly unknown[] {
  const definitions = config?.[DEFINITIONS_FIELD];
  return Array.isArray(definitions) ? definitions : [];
}

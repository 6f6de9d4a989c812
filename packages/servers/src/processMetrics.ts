/** The CPU time of the process that a metrics page belongs to. The client libraries of Prometheus add it to any page. */
export const PROCESS_CPU_METRIC = 'process_cpu_seconds';

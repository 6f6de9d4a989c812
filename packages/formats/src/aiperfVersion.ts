/** The version of AIPerf that written files are compatible with. */
export const AIPERF_VERSION = '0.13.0';

/** Labels that identify a process or a host. Their values change when a server restarts. */
const VOLATILE_LABEL =
  /^(?:pid|process_id|port|instance|instance_id|host|hostname|node|pod|pod_name|container|container_id|worker|(?:router_)?worker_id|router_id|lease_id)$/;

/** Reports whether a label identifies a process or a host, so that its values differ between runs. */
export function isVolatileLabel(name: string): boolean {
  return VOLATILE_LABEL.test(name);
}

/**
 * The runtime, loaded where a model needs it, so that whoever imports the plugin does without. Its packages report to
 * their maker, and leave files behind, unless this variable is there before (Privacy.md of onnxruntime).
 */
export const loadRuntime = () => {
  process.env['ORT_DISABLE_TELEMETRY'] = '1'
  return import('onnxruntime-node')
}

/**
 * The environment variables that a model's process gets: where things are and how to use the hardware. A model file may
 * make native code read memory that it should not, so keys and tokens must not be there.
 */

const allowed: readonly RegExp[] = [
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TMP|TEMP|NODE_ENV)$/i,
  /^(LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|DYLD_FALLBACK_LIBRARY_PATH|XDG_CACHE_HOME|UV_THREADPOOL_SIZE)$/,
  /^(SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|PROGRAMDATA|USERPROFILE)$/i,
  /^(CUDA|CUDNN|NVIDIA|NCCL|HIP|HSA|ROCR|ROCM|AMD|GPU|MIGRAPHX|ONEAPI|SYCL|ZE|VK|VULKAN|GGML|MTL|METAL)_/,
  /^(OMP|GOMP|KMP|MKL|OPENBLAS|BLIS|VECLIB|ORT)_/,
]

const secret = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH/i

/** @param added the plugin's own settings, which pass as they are */
export const childEnvironment = (
  parent: NodeJS.ProcessEnv,
  added: Readonly<Record<string, string>> = {},
): Record<string, string> => {
  const passed = Object.entries(parent).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && allowed.some((pattern) => pattern.test(entry[0])) && !secret.test(entry[0]),
  )
  return { ...Object.fromEntries(passed), ...added }
}

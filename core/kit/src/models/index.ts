export { checkChosenModel, ModelChooser } from './model-chooser.js'
export type { ChosenModel } from './model-chooser.js'

import { definePlugin } from '@sallyport/core'

export default definePlugin({ name: '@sallyport/documents' })

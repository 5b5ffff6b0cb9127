/** Rules of this repository for oxlint, which has no rule that bans a kind of syntax. */

const rule = (create) => ({ create: (context) => create((node, message) => context.report({ node, message })) })

/** Whether a call is one of `Math.max` or `.push`, say. */
const calls = ({ callee }, objects, properties) =>
  callee.type === 'MemberExpression' &&
  properties.includes(callee.property.name) &&
  (!objects || objects.includes(callee.object.name))

export default {
  meta: { name: 'sallyport' },
  rules: {
    'no-singleton': rule((report) => ({
      Decorator(node) {
        if (node.expression.callee?.name !== 'singleton') return
        report(node, 'a singleton spans kernels: bind a value in the container of one construction')
      },
    })),
    /** Lists that come from requests and files may have more items than a call takes arguments. */
    'no-spread-of-lists': rule((report) => ({
      CallExpression(node) {
        const spread = node.arguments.find(({ type }) => type === 'SpreadElement')
        if (!spread) return
        const overflow = 'some hundred thousand arguments overflow the stack'
        if (calls(node, ['Math'], ['max', 'min']))
          report(spread, `${overflow}: use maxOf or minOf of @sallyport/kit/lists`)
        if (calls(node, undefined, ['push', 'unshift']))
          report(spread, `${overflow}: use append of @sallyport/kit/lists`)
      },
    })),
  },
}

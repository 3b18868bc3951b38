import { useEffect, useRef, useState } from 'react'

/** An email as its reader sees it, in a page of its own: see `message-preview.ts` of the server. */
export function MailPreview({ title, html }: { readonly title: string; readonly html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(240)
  // The page in the frame has an origin of its own, which has no name: only `*` reaches it.
  const show = () => frame.current?.contentWindow?.postMessage(html, '*')
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown follows the HTML alone
  useEffect(() => {
    show()
  }, [html])
  useEffect(() => {
    const resize = ({ source, data }: MessageEvent) => {
      if (source === frame.current?.contentWindow && typeof data === 'number') setHeight(data)
    }
    window.addEventListener('message', resize)
    return () => window.removeEventListener('message', resize)
  }, [])
  return (
    <iframe
      ref={frame}
      title={title}
      src="/console/message-preview"
      sandbox="allow-scripts"
      onLoad={show}
      className="w-full rounded-sheet border border-line bg-[#fff]"
      style={{ height }}
    />
  )
}

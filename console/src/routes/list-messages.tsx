import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { MessageList } from '../features/lists/message-list.tsx'
import { useApi } from '../lib/api.ts'
import { lazyPart } from '../lib/lazy-part.ts'
import { ListScreen } from './list-screen.tsx'

const MessageDialog = lazyPart(() => import('../features/timeline/message-dialog.tsx'))

export default function ListMessages() {
  const { message, ...search } = useSearch({ from: '/$company/$environment/messages' })
  const navigate = useNavigate({ from: '/$company/$environment/messages' })
  const api = useApi()
  const open = (id: string | undefined) =>
    void navigate({ search: id === undefined ? search : { ...search, message: id } })
  return (
    <ListScreen
      kind="message"
      search={search}
      onSearch={next => void navigate({ search: next })}
      read={(filters, signal) => api.communications.list(filters, { signal })}
      list={props => (
        <>
          <MessageList {...props} onOpen={open} />
          {message && (
            <Suspense fallback={null}>
              <MessageDialog id={message} timeZone={props.timeZone} onClose={() => open(undefined)} />
            </Suspense>
          )}
        </>
      )}
    />
  )
}

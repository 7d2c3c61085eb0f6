//! The server over standard input and output: one client, one line a message.

use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio_pipes;

use crate::server::Server;

/// Answers until standard input ends. Nothing else may write to standard output.
///
/// # Errors
/// What the client says first is neither a handshake nor a request that stands for itself; the text says what it was.
pub async fn serve(server: Server) -> Result<(), String> {
    match rmcp::serve_server(server, stdio_pipes()).await {
        Ok(running) => running.waiting().await.map(drop).map_err(|error| error.to_string()),
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(ServerInitializeError::ExpectedInitializeRequest(_)) => {
            Err("the client's first message is neither `initialize` nor a request that stands for itself".into())
        }
        Err(error) => Err(error.to_string()),
    }
}

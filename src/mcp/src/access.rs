//! Who may ask over HTTP: the names under which this server is known.
//!
//! A browser on somebody's machine can be made to send requests here. The `Host` and `Origin` that it then sends are
//! those of the page it shows, so both must be names of this server.

use std::str::FromStr;

use axum::http::Uri;
use axum::http::uri::Scheme;

/// A URL under which clients reach this server. Its path does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    scheme: Scheme,
    host: String,
    port: Option<u16>,
}

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let uri: Uri = text.parse().map_err(|error| format!("no URL: {error}"))?;
        let scheme = match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTP || *scheme == Scheme::HTTPS => scheme.clone(),
            _ => return Err("it must begin with `https://` or `http://`".into()),
        };
        match uri.authority() {
            Some(authority) if !authority.host().is_empty() && !authority.as_str().contains('@') => {
                // Clients and proxies send or leave out the usual port, as they like.
                let port = authority.port_u16().filter(|port| *port != usual_port(&scheme));
                Ok(Self { scheme, host: authority.host().to_ascii_lowercase(), port })
            }
            _ => Err("it must name a host, and no user".into()),
        }
    }
}

impl PublicUrl {
    fn host(&self) -> String {
        match self.port {
            Some(port) => format!("{}:{port}", self.host),
            None => self.host.clone(),
        }
    }

    /// With its port, always: the SDK takes an origin without one for an origin on any port.
    fn origin(&self) -> String {
        format!("{}://{}:{}", self.scheme, self.host, self.port.unwrap_or_else(|| usual_port(&self.scheme)))
    }
}

fn usual_port(scheme: &Scheme) -> u16 {
    if *scheme == Scheme::HTTPS { 443 } else { 80 }
}

/// Values of `Host` that are answered: the machine itself, and the public names.
pub(crate) fn hosts(public: &[PublicUrl]) -> Vec<String> {
    ["localhost", "127.0.0.1", "[::1]"]
        .map(str::to_owned)
        .into_iter()
        .chain(public.iter().map(PublicUrl::host))
        .collect()
}

/// Values of `Origin` that are answered: pages of the machine itself, and of the public names.
pub(crate) fn origins(public: &[PublicUrl]) -> Vec<String> {
    let own = ["localhost", "127.0.0.1", "[::1]"]
        .into_iter()
        .flat_map(|host| ["http", "https"].map(|scheme| format!("{scheme}://{host}:*")));
    own.chain(public.iter().map(PublicUrl::origin)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_origins_follow_from_the_public_url() {
        let url = |text: &str| text.parse::<PublicUrl>().unwrap();
        let urls = [url("https://wiki.example.org/mcp"), url("http://[2001:db8::1]:8080"), url("HTTP://Wiki.LAN:80/")];
        assert_eq!(hosts(&urls)[3..], ["wiki.example.org", "[2001:db8::1]:8080", "wiki.lan"]);
        assert_eq!(
            origins(&urls)[6..],
            ["https://wiki.example.org:443", "http://[2001:db8::1]:8080", "http://wiki.lan:80"]
        );
        assert_eq!(url("https://wiki.example.org:443"), url("https://wiki.example.org"));
    }

    #[test]
    fn what_is_no_public_url_is_refused() {
        for text in
            ["", "wiki.example.org", "/mcp", "ftp://wiki.example.org", "https://me@wiki.example.org", "https://"]
        {
            assert!(text.parse::<PublicUrl>().is_err(), "{text}");
        }
    }
}
